#include "eval/personalens/gather.hpp"

#include <gtest/gtest.h>

#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::personalens {
namespace {

// Four users; ratings 1, 2, 4 and one that is off the scale.
class GatherTest : public testing::Test {
 protected:
  void SetUp() override {
    add("user0/a/personalization/j/SD-Zoo-task-1.txt", "Personalization Score: 1");
    add("user1/a/personalization/j/SD-Zoo-task-1.txt", "Personalization Score: 2");
    add("user2/a/personalization/j/MD-task-1.txt", "Personalization Score: 4");
    add("user3/a/personalization/j/SD-Alarm-task-1.txt", "Personalization Score: 30");
    add("user3/a/personalization/j/notes.md", "not a verdict");
  }
  void add(const std::string& name, const std::string& text) {
    folder_.write("output/evaluation/" + name, text);
  }
  Result<Json> gather_json(GatherWishes wishes = {}) {
    wishes.folder = folder_.path("");
    ASSIGN_OR_RETURN(const Gathered gathered, gather(wishes));
    return to_json(gathered);
  }
  files::TemporaryFolder folder_;
};

TEST_F(GatherTest, BothArithmeticsStandSideBySide) {
  const Json value = gather_json().value();
  EXPECT_EQ(value["dimension"], "personalization");
  EXPECT_EQ(value["files"], 4);
  EXPECT_EQ(value["unread"], 1);
  EXPECT_EQ(value["unread_files"], Json::array({"user3/a/personalization/j/SD-Alarm-task-1.txt"}));
  EXPECT_EQ(value["count"], 3);
  EXPECT_DOUBLE_EQ(value["mean"], 7.0 / 3);
  EXPECT_EQ(value["min"], 1);
  EXPECT_EQ(value["max"], 4);
  EXPECT_EQ(value["distribution"], (Json{{"1", 1}, {"2", 1}, {"3", 0}, {"4", 1}}));
  EXPECT_EQ(value["by_domain"]["Zoo"], (Json{{"count", 2}, {"mean", 1.5}}));
  EXPECT_EQ(value["by_domain"]["Multi-domain"], (Json{{"count", 1}, {"mean", 4.0}}));
  EXPECT_EQ(value["low_rated"]["files"],
            Json::array({"user0/a/personalization/j/SD-Zoo-task-1.txt"}));
  const Json& reference = value["reference"];
  EXPECT_EQ(reference["count"], 4);
  EXPECT_EQ(reference["unread"], 0);
  EXPECT_DOUBLE_EQ(reference["mean"], 37.0 / 4);
  EXPECT_EQ(reference["max"], 30);
  EXPECT_EQ(reference["by_domain"]["task"]["count"], 1);
  EXPECT_EQ(value["notes"].size(), 1u);
}

TEST_F(GatherTest, LowVerdictsAndThoseWithoutAScoreHaveTheirReasons) {
  add("user4/a/personalization/j/SD-Zoo-task-9.txt",
      "Justification: It ignores\nwhat she likes.\n\nPersonalization Score: 1");
  add("user5/a/personalization/j/SD-Zoo-task-9.txt",
      "The dialogue is empty.\nVerdict: cannot assess");
  const Json value = gather_json().value();
  EXPECT_EQ(
      value["low_rated"]["verdicts"][1],
      (Json{{"user", 4},
            {"task", "SD-Zoo-task-9"},
            {"score", 1.0},
            {"reason", "Justification: It ignores what she likes. Personalization Score: 1"}}));
  EXPECT_EQ(value["unread"], 2);
  EXPECT_EQ(value["cannot_assess"], 1);
  EXPECT_EQ(value["unread_verdicts"][0]["verdict"], "unreadable");
  EXPECT_EQ(value["unread_verdicts"][1]["verdict"], "cannot assess");
  EXPECT_EQ(value["unread_verdicts"][1]["reason"], "The dialogue is empty. Verdict: cannot assess");
}

TEST(ReasonIn, IsTheRationaleOfAnObjectElseTheWords) {
  EXPECT_EQ(reason_in(R"({"rationale": "too short", "verdict": "1"})"), "too short");
  EXPECT_EQ(reason_in("  Bad.\n\tVerdict: 1 "), "Bad. Verdict: 1");
  EXPECT_EQ(reason_in(""), "");
  EXPECT_LT(reason_in(std::string(10'000, 'x')).size(), 500u);
}

TEST_F(GatherTest, AnUnreadCompletionIsFalseOnlyAsPublished) {
  add("user0/a/task_completion/j/SD-Zoo-task-1.txt", "VERDICT: True");
  add("user1/a/task_completion/j/SD-Zoo-task-1.txt", "no verdict");
  GatherWishes wishes;
  wishes.dimension = "task_completion";
  const Json value = gather_json(wishes).value();
  EXPECT_EQ(value["rate"], 1.0);
  EXPECT_EQ(value["unread"], 1);
  EXPECT_EQ(value["reference"]["rate"], 0.5);
  EXPECT_EQ(value["reference"]["distribution"], (Json{{"False", 1}, {"True", 1}}));
}

TEST_F(GatherTest, WhatThePublishedProgramLacksHasNoPublishedNumbers) {
  add("user0/a/first_turn_leak/j/SD-Zoo-task-1.txt", "Leak: yes");
  add("user1/a/first_turn_leak/j/SD-Zoo-task-1.txt", "Leak: no");
  GatherWishes wishes;
  wishes.dimension = "first_turn_leak";
  const Json value = gather_json(wishes).value();
  EXPECT_EQ(value["rate"], .5);
  EXPECT_FALSE(value.contains("reference"));
}

TEST_F(GatherTest, AFileThatCannotBeReadIsNamedWithItsFolder) {
  add("user0/a/personalization/j/SD-Zoo-task-2.txt", std::string((1u << 20) + 1, 'x'));
  EXPECT_EQ(gather_json().value()["notes"][1],
            "user0/a/personalization/j: SD-Zoo-task-2.txt has more than 1048576 bytes");
}

TEST_F(GatherTest, AssistantsJudgesAndSidesAreKeptApart) {
  add("user0/a/naturalness/j/SD-Zoo-task-1_user.txt", "Naturalness Score: 5");
  add("user0/a/naturalness/j/SD-Zoo-task-1_asst.txt", "Naturalness Score: 1");
  add("user0/b_d/naturalness/k/SD-Zoo-task-1_user.txt", "Naturalness Score: 3");
  const Json all = gather_json().value();
  EXPECT_EQ(all["groups"].size(), 4u);
  GatherWishes wishes;
  wishes.dimension = "naturalness";
  wishes.assistant = "a";
  wishes.ending = "_user";
  const Json value = gather_json(wishes).value();
  EXPECT_EQ(value["side"], "user");
  EXPECT_EQ(value["mean"], 5.0);
}

TEST_F(GatherTest, UsersCanBeChosen) {
  GatherWishes wishes;
  wishes.users = std::vector<int>{0, 1, 17};
  EXPECT_EQ(gather_json(wishes).value()["count"], 2);
  wishes.users = std::vector<int>{17};
  EXPECT_EQ(gather_json(wishes).value()["groups"].size(), 0u);
}

TEST_F(GatherTest, ThreadsChangeNothing) {
  GatherWishes wishes;
  wishes.threads = 1;
  const std::string one = render_json(gather_json(wishes).value());
  for (wishes.threads = 2; wishes.threads < 6; ++wishes.threads)
    EXPECT_EQ(render_json(gather_json(wishes).value()), one);
}

TEST_F(GatherTest, AFolderWithoutEvaluationsIsSaidToBeOne) {
  GatherWishes wishes;
  wishes.folder = folder_.path("output/evaluation/user0");
  EXPECT_EQ(gather(wishes).error().kind, ErrorKind::NotFound);
  wishes.folder = folder_.path("nowhere");
  EXPECT_EQ(gather(wishes).error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace personascope::eval::personalens
