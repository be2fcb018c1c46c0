#include "core/item.hpp"

#include <gtest/gtest.h>

namespace personascope::core {
namespace {

const std::vector<std::string> kTexts{"An answer that is long enough to refer to.",
                                      R"( {"verdict": 4, "rationale": "it fits the persona"})",
                                      "short"};

TEST(ItemDocument, RefersToTextsOfCallsAndFindsThemAgain) {
  const Json whole = {{"question", "Who are you, and what brings you here tonight?"},
                      {"answer", kTexts[0]},
                      {"judges", {{{"text", kTexts[1]}, {"score", 4}}}},
                      {"critique", parse_json(kTexts[1]).value()},
                      {"note", "short"},
                      {"nothing", nullptr}};
  Json stored = whole;
  refer_to_calls(stored, kTexts);
  EXPECT_EQ(stored["answer"], Json({{"$call", 0}}));
  EXPECT_EQ(stored["judges"][0]["text"], Json({{"$call", 1}}));
  EXPECT_EQ(stored["critique"], Json({{"$call_json", 1}}));
  EXPECT_EQ(stored["note"], "short") << "a reference would be longer";
  resolve_calls(stored, kTexts);
  EXPECT_EQ(stored, whole);
}

TEST(ItemDocument, HasNothingWhereAReferencedTextIsNotThere) {
  Json document = {{"a", {{"$call", 7}}}, {"b", {{"$call", -1}}}, {"c", {{"$call_json", 0}}}};
  resolve_calls(document, kTexts);
  EXPECT_EQ(document, Json({{"a", nullptr}, {"b", nullptr}, {"c", nullptr}}));
}

TEST(ItemDocument, LeavesObjectsAloneThatOnlyLookLikeReferences) {
  const Json whole = {{"a", {{"$call", 0}, {"more", 1}}}, {"b", {{"$call", "0"}}}};
  Json document = whole;
  resolve_calls(document, kTexts);
  EXPECT_EQ(document, whole);
}

TEST(ItemRecord, HasTheSameMembersWhateverItsOutcome) {
  ItemRecord scored{.position = 1, .id = "a", .cluster = "p1", .label = "task"};
  scored.outcome = Outcome::Scored;
  scored.score = 4;
  scored.document = {{"answer", "yes"}};
  ItemRecord failed{.position = 2, .id = "b", .cluster = "p1", .label = "task"};
  failed.outcome = Outcome::Failed;
  failed.error = Error{ErrorKind::Timeout, "no answer in 60 s"};
  failed.document = {{"answer", nullptr}};
  const Json one = to_json(scored);
  const Json other = to_json(failed);
  for (const auto& [name, value] : one.items()) EXPECT_TRUE(other.contains(name)) << name;
  EXPECT_EQ(one.size(), other.size());
  EXPECT_EQ(other["error"], Json({{"kind", "timeout"}, {"message", "no answer in 60 s"}}));
  EXPECT_EQ(one["score"], 4);
}

}  // namespace
}  // namespace personascope::core
