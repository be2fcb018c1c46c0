#include "eval/judging/judge_plan.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "eval/judging/canary_lines.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::judging {
namespace {

JudgePlan make_plan() {
  JudgePlan plan;
  plan.input = {.path = "/a.jsonl", .sha256 = "ab", .lines = 3};
  plan.rubric = "/r.yaml";
  plan.rubric_sha256 = "cd";
  plan.judges = {"openai/gpt-4o", "anthropic/claude"};
  plan.escalate = "openai/o3";
  plan.options.form = judge::ReplyForm::Schema;
  plan.options.orders = judge::Orders::Both;
  plan.options.repeats = 3;
  plan.options.temperature = 0.5;
  plan.rule = judge::PanelRule::Median;
  plan.canaries = 1;
  plan.cluster = "persona";
  return plan;
}

TEST(JudgePlan, ComesBackAsItWasStored) {
  const Json stored = to_json(make_plan());
  EXPECT_EQ(to_json(parse_judge_plan(stored).value()), stored);
}

TEST(JudgePlan, ADamagedPlanIsNone) {
  const Json stored = to_json(make_plan());
  for (const char* member :
       {"input", "rubric", "rubric_sha256", "judges", "verdicts", "panel", "repeats", "canaries"}) {
    Json damaged = stored;
    damaged.erase(member);
    EXPECT_FALSE(parse_judge_plan(damaged)) << member;
  }
  for (const auto& [member, value] :
       {std::pair{"repeats", Json(0)}, std::pair{"repeats", Json(5000)},
        std::pair{"canaries", Json(-1)}, std::pair{"panel", Json("vote")},
        std::pair{"judges", Json("one")}}) {
    Json damaged = stored;
    damaged[member] = value;
    EXPECT_FALSE(parse_judge_plan(damaged)) << member << " " << value;
  }
}

TEST(JudgePlan, NamesThatCannotWorkTogetherAreRefusedFirst) {
  const auto complaint = [](const std::function<void(JudgePlan&)>& change, bool has_address) {
    JudgePlan plan = make_plan();
    change(plan);
    const auto checked = check_judges(plan, has_address);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(complaint([](JudgePlan&) {}, false), "");
  EXPECT_NE(complaint([](JudgePlan& p) { p.judges.clear(); }, false).find("`judges`"),
            std::string::npos);
  EXPECT_NE(complaint([](JudgePlan& p) { p.judges.pop_back(); }, false).find("`escalate`"),
            std::string::npos);
  EXPECT_NE(complaint([](JudgePlan& p) { p.judges[1] = p.judges[0]; }, false).find("twice"),
            std::string::npos);
  EXPECT_NE(complaint([](JudgePlan&) {}, true).find("`base_url`"), std::string::npos);
}

TEST(CanaryLines, StandInForTheAnswersOfTheChosenItems) {
  const auto rubric =
      judge::parse_rubric("name: W\nversion: 1\nscale: [1, 2]\ncriteria: {1: a, 2: b}\n", "r", "")
          .value();
  files::TemporaryFolder folder;
  JudgePlan plan = make_plan();
  plan.input.path = folder.write("a.jsonl", R"({"id": "a0", "answer": "real", "question": "q"}
{"id": "a1", "answer": "real", "question": "q"}
{"id": "a2", "answer": "real", "question": "q"}
)");
  plan.canaries = 2;
  const auto canaries = load_canary_lines(plan, rubric).value();
  ASSERT_EQ(canaries.size(), 8u);
  for (const CanaryLine& canary : canaries) {
    EXPECT_NE(canary.line.fields.at("answer"), "real");
    EXPECT_EQ(canary.line.fields.at("question"), "q");
    EXPECT_TRUE(canary.line.id.starts_with("canary/" + canary.canary + "/a")) << canary.line.id;
  }
}

TEST(JudgeLine, ReadsFieldsAndSaysWhatIsMissing) {
  const auto line =
      parse_judge_line(R"({"id": 7, "text": "Ahoy", "age": 40, "tags": ["x"]})", {"answer"})
          .value();
  EXPECT_EQ(line.id, "7");
  EXPECT_EQ(line.fields.at("answer"), "Ahoy");
  EXPECT_EQ(line.fields.at("age"), "40");
  EXPECT_FALSE(line.fields.contains("tags"));
  EXPECT_FALSE(parse_judge_line(R"({"id": 7, "answer": "x"})", {"answer", "persona"}));
  EXPECT_FALSE(parse_judge_line(R"({"answer": "x"})", {}));
  EXPECT_FALSE(parse_judge_line("[]", {}));
}

}  // namespace
}  // namespace personascope::eval::judging
