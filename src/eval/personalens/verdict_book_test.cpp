#include "eval/personalens/verdict_book.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personalens {
namespace {

LensPlan make_plan() {
  LensPlan plan;
  plan.assistant_label = "a";
  plan.judge_labels = {"j", "k"};
  plan.judges = {"openai/j", "k"};
  return plan;
}

DimensionScore score_with(const char* key, core::Verdict first, std::string file) {
  DimensionScore score;
  score.dimension = choose_dimensions(key, std::nullopt).value().front();
  score.by_judge.resize(2);
  score.by_judge[0].verdict = std::move(first);
  score.by_judge[0].file = std::move(file);
  score.by_judge[1].verdict = core::make_score(4, "");
  score.by_judge[1].file = "Personalization Score: 4";
  return score;
}

TEST(VerdictBook, ReadingsSayBothArithmetics) {
  const Json readings = list_readings(
      {score_with("personalization", core::make_score(1.5, ""), "Personalization Score: 2"),
       score_with("task_completion", core::make_abstention("?"), ""),
       score_with("first_turn_leak", core::make_score(1, ""), "Leak: yes"),
       score_with("turn_personalization", core::make_score(1, ""), "")});
  EXPECT_EQ(readings, Json::parse(R"({"personalization": [[1.5, 2.0], [4.0, 4.0]],
                                      "task_completion": [[null, 0.0], [4.0, 0.0]],
                                      "first_turn_leak": [[1.0, null], [4.0, null]]})"));
}

TEST(VerdictBook, GathersAsFilesAreGathered) {
  VerdictBook book = VerdictBook::create({}, make_plan()).value();
  const Json readings = Json::parse(R"({"personalization": [[3, 3], [null, null]], "none": 1})");
  book.take(9, "SD-Zoo-task-2", {}, readings);
  book.take(2, "MD-task-1", {}, Json::parse(R"({"personalization": [[1, 1], ["x"]]})"));
  book.take(2, "SD-Zoo-task-1", {.demographics = true}, readings);
  const Gathered gathered = book.finish();
  ASSERT_EQ(gathered.groups.size(), 4u);
  const Json value = describe_group(gathered, gathered.groups[0]);
  EXPECT_EQ(value["assistant"], "a");
  EXPECT_EQ(value["judge"], "j");
  EXPECT_EQ(value["files"], 2);
  EXPECT_EQ(value["mean"], 2.0);
  EXPECT_EQ(value["by_domain"]["Multi-domain"]["mean"], 1.0);
  EXPECT_EQ(value["low_rated"]["files"], Json::array({"user2/a/personalization/j/MD-task-1.txt"}));
  EXPECT_EQ(describe_group(gathered, gathered.groups[1])["unread"], 2);
  EXPECT_EQ(gathered.groups[2].assistant, "a_d");
  EXPECT_EQ(summarize_groups(gathered)[0]["low_rated"], 1);
}

TEST(VerdictBook, KeepsTheReasonsOfLowVerdictsAndOfThoseWithoutAScore) {
  VerdictBook book = VerdictBook::create({}, make_plan()).value();
  const Json verdicts = Json::parse(R"({"personalization": {"judges": [
      {"verdict": "score", "score": 1, "text": "It ignores her."},
      {"verdict": "cannot_assess", "text": "No dialogue."}]}})");
  book.take(2, "MD-task-1", {}, Json::parse(R"({"personalization": [[1, 1], [null, null]]})"),
            &verdicts);
  book.take(3, "MD-task-1", {}, Json::parse(R"({"personalization": [[4, 4], [4, 4]]})"), &verdicts);
  const Gathered gathered = book.finish();
  EXPECT_EQ(gathered.groups[0].rows[0].reason, "It ignores her.");
  EXPECT_EQ(describe_group(gathered, gathered.groups[0])["judge_name"], "openai/j");
  EXPECT_EQ(gathered.groups[0].rows[1].reason, "");
  EXPECT_TRUE(gathered.groups[1].rows[0].cannot_assess);
  EXPECT_EQ(gathered.groups[1].rows[0].reason, "No dialogue.");
}

TEST(VerdictBook, TakesWhatIsWishedFor) {
  GatherWishes wishes;
  wishes.users = std::vector{2};
  wishes.assistant = "a_d";
  wishes.judge = "k";
  wishes.dimension = "personalization";
  VerdictBook book = VerdictBook::create(wishes, make_plan()).value();
  const Json readings = Json::parse(R"({"personalization": [[3, 3], [2, 2]],
                                        "task_completion": [[1, 1], [1, 1]]})");
  book.take(2, "SD-Zoo-task-1", {.demographics = true}, readings);
  book.take(2, "SD-Zoo-task-1", {}, readings);
  book.take(3, "SD-Zoo-task-1", {.demographics = true}, readings);
  const Gathered gathered = book.finish();
  ASSERT_EQ(gathered.groups.size(), 1u);
  ASSERT_EQ(gathered.groups[0].rows.size(), 1u);
  EXPECT_EQ(gathered.groups[0].rows[0].ours, 2.0);
  wishes.dimension = "fluency";
  EXPECT_FALSE(VerdictBook::create(wishes, make_plan()));
}

}  // namespace
}  // namespace personascope::eval::personalens
