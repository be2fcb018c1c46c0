#include "run/call_book.hpp"

#include <gtest/gtest.h>

namespace personascope::run {
namespace {

core::Reply reply_of(std::string text) {
  core::Reply reply;
  reply.text = std::move(text);
  return reply;
}

void take(CallBook& book, const std::string& item, std::vector<std::string> owners = {}) {
  llm::Draw draw;
  draw.item = item;
  draw.owners = std::move(owners);
  book.take(draw, sha256(item), reply_of("answer for " + item));
}

std::vector<std::string> texts_of(CallBook& book, const std::string& item) {
  return book.collect(item).texts;
}

TEST(CallBook, GivesAnItemItsOwnCallsOnceInTheirOrder) {
  CallBook book(ItemIds::Nested);
  take(book, "p1/task/1");
  take(book, "p1/task/10");
  take(book, "canary/empty/p1/task/1");
  take(book, "p1/task/1/control");
  take(book, "p1/task/1#2");
  EXPECT_EQ(texts_of(book, "p1/task/1"),
            (std::vector<std::string>{"answer for p1/task/1", "answer for canary/empty/p1/task/1",
                                      "answer for p1/task/1/control"}));
  EXPECT_TRUE(texts_of(book, "p1/task/1").empty());
  EXPECT_EQ(texts_of(book, "p1/task/1#2").size(), 1U);
  EXPECT_EQ(texts_of(book, "p1/task/10").size(), 1U);
}

TEST(CallBook, SaysWhatACallWasAskedForWhereItIsNotSimplyTheItem) {
  CallBook book(ItemIds::Nested);
  take(book, "a");
  take(book, "a/reading");
  const auto calls = book.collect("a");
  ASSERT_EQ(calls.links.size(), 2U);
  EXPECT_EQ(calls.links[0].purpose, "");
  EXPECT_EQ(calls.links[1].purpose, "a/reading");
  EXPECT_EQ(calls.links[1].key, sha256("a/reading"));
}

TEST(CallBook, SharesCallsAmongTheItemsThatTheyServe) {
  CallBook book(ItemIds::Nested);
  take(book, "p1/environments", {"p1/"});
  take(book, "p1/task/questions", {"p1/task/"});
  take(book, "p1/task/1+/grades", {"p1/task/1", "p1/task/2"});
  for (const char* item : {"p1/task/1", "p1/task/2"})
    EXPECT_EQ(texts_of(book, item), (std::vector<std::string>{"answer for p1/environments",
                                                              "answer for p1/task/questions",
                                                              "answer for p1/task/1+/grades"}));
  EXPECT_EQ(texts_of(book, "p1/other/1").size(), 1U);
  EXPECT_TRUE(texts_of(book, "p2/task/1").empty());
}

TEST(CallBook, ListsACallOnceThatWasAskedForTwice) {
  CallBook book(ItemIds::Nested);
  take(book, "a");
  take(book, "a");
  EXPECT_EQ(book.collect("a").links.size(), 1U);
}

TEST(CallBook, KeepsTheUsersOwnIdsApart) {
  CallBook book(ItemIds::Plain);
  take(book, "a");
  take(book, "a/b");
  take(book, "canary/x/a");
  EXPECT_EQ(texts_of(book, "a").size(), 1U);
  EXPECT_EQ(texts_of(book, "a/b").size(), 1U);
  EXPECT_EQ(texts_of(book, "canary/x/a").size(), 1U);
}

TEST(CallBook, HasNoTextForAnError) {
  CallBook book(ItemIds::Plain);
  llm::Draw draw;
  draw.item = "a";
  book.take(draw, sha256("a"), fail(ErrorKind::ContextTooLong, "too long"));
  EXPECT_EQ(texts_of(book, "a"), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace personascope::run
