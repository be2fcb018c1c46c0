#include "report/run_items.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace personascope::report {
namespace {

std::string write_file(const std::string& name, const std::string& text) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / name).string();
  std::ofstream(path) << text;
  return path;
}

constexpr const char* kLines =
    R"({"id":"a","cluster":"p1","outcome":"refused","score":null,"answer":"No.","question":"Why?"}
{"id":"b","cluster":"p1","outcome":"scored","score":4,"answer":"Yes.","question":"How?"}
{"id":"canary/b","cluster":"p1","outcome":"scored","score":1}
)";

TEST(RunItems, AnExportIsReadInEveryForm) {
  const std::string json = R"([{"id":"a","cluster":"p1","outcome":"refused","score":null},
      {"id":"b","cluster":"p1","outcome":"scored","score":4}])";
  const std::string csv =
      "id,cluster,outcome,score,answer\na,p1,refused,,No.\nb,p1,scored,4,Yes.\n";
  for (const auto& [name, text] :
       {std::pair<std::string, std::string>{"x.jsonl", kLines}, {"x.json", json}, {"x.csv", csv}}) {
    const auto found = find_item_file(write_file(name, text));
    ASSERT_TRUE(found && *found) << name;
    ASSERT_EQ((*found)->items.size(), 2u) << name << ": canaries are no items";
    const auto table = make_item_table(**found, std::nullopt);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->outcomes[0], core::Outcome::Refused);
    EXPECT_FALSE(table->scores.columns[0].cells[0]);
    EXPECT_EQ(table->scores.columns[0].cells[1], 4);
    EXPECT_EQ(table->scores.cluster_column, "persona");
  }
}

TEST(RunItems, VerdictsOfAJudgeAreItems) {
  const auto found = find_item_file(write_file(
      "v.jsonl",
      R"({"id":7,"verdict":"cannot_assess","score":null,"error":null,"cluster":null,"judges":[]})"));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->items[0].id, "7");
  EXPECT_EQ((*found)->items[0].outcome, core::Outcome::Abstained);
  EXPECT_FALSE(make_item_table(**found, std::nullopt)->scores.cluster_column);
}

TEST(RunItems, OtherTablesAreNone) {
  for (const char* text : {"id,score\na,1\n", R"({"id":"a","score":1})", "[1,2]", "hello\n"}) {
    const auto found = find_item_file(write_file("other", text));
    EXPECT_TRUE(!found || !*found) << text;
  }
}

TEST(RunItems, SeveralRunsInAFileAreRefused) {
  const std::string twice = std::string(kLines) + kLines;
  const auto found = find_item_file(write_file("twice.jsonl", twice));
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("occurs twice"), std::string::npos);
  const auto odd = find_item_file(
      write_file("odd.jsonl", R"({"id":"a","cluster":"","outcome":"happy","score":1})"));
  ASSERT_FALSE(odd);
  EXPECT_NE(odd.error().message.find("unknown outcome"), std::string::npos);
}

TEST(RunItems, OneOfSeveralScoresIsChosen) {
  RunItems run{"run 1", {}, {}};
  core::ItemRecord item;
  item.id = "a";
  item.outcome = core::Outcome::Scored;
  item.scores = {{"fit", 3}, {"tone", 2}};
  run.items.push_back(item);
  item.id = "b";
  item.scores = {{"tone", 5}};
  run.items.push_back(item);
  const auto none = make_item_table(run, std::nullopt);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("fit, tone"), std::string::npos);
  const auto table = make_item_table(run, "fit");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->scores.columns[0].cells[0], 3);
  EXPECT_EQ(table->outcomes[1], core::Outcome::Failed) << "it lacks this score";
  run.run.emplace();
  run.run->headline.emplace();
  run.run->headline->name = "tone";
  EXPECT_EQ(make_item_table(run, std::nullopt)->scores.columns[0].cells[1], 5);
}

TEST(RunItems, AnswersAndQuestionsAreFoundInEveryDocument) {
  core::ItemRecord item;
  item.document = {{"question", "Why?"}, {"answer", "So."}, {"persona", "a cook"}};
  EXPECT_EQ(find_answer(item), "So.");
  EXPECT_EQ(find_asked(item)["question"], "Why?");
  item.document = {{"fields", {{"answer", "So."}, {"persona", "p"}}}};
  EXPECT_EQ(find_answer(item), "So.");
  EXPECT_EQ(find_asked(item), Json({{"fields", {{"persona", "p"}}}}));
  item.document = {{"dialogue", {{{"role", "user"}, {"content", "Hi"}}}}};
  EXPECT_EQ(find_answer(item), "user: Hi");
  EXPECT_TRUE(find_asked(item).is_null());
}

}  // namespace
}  // namespace personascope::report
