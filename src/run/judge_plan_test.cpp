#include <gtest/gtest.h>

#include <functional>

#include "run/judge_calls.hpp"
#include "run/judging.hpp"

namespace personascope::run {
namespace {

JudgePlan make_plan() {
  JudgePlan plan;
  plan.input = {.path = "/a.jsonl", .sha256 = "ab", .lines = 3};
  plan.output = "/verdicts.jsonl";
  plan.rubric = "/r.yaml";
  plan.rubric_sha256 = "cd";
  plan.judges = {"openai/gpt-4o", "anthropic/claude"};
  plan.escalate = "openai/o3";
  plan.base_url = "http://user:secret@host/v1";
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
  EXPECT_EQ(render_json(stored).find("secret"), std::string::npos);
  EXPECT_EQ(to_json(parse_judge_plan(stored).value()), stored);
}

TEST(JudgePlan, ADamagedPlanIsNone) {
  const Json stored = to_json(make_plan());
  for (const char* member : {"input", "output", "rubric", "rubric_sha256", "judges", "verdicts",
                             "panel", "repeats", "canaries"}) {
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
  const auto complaint = [](const std::function<void(JudgePlan&)>& change) {
    JudgePlan plan = make_plan();
    plan.base_url.reset();
    change(plan);
    const auto filled = fill_judge_plan(plan, "/nowhere.jsonl");
    return filled ? std::string() : filled.error().message;
  };
  EXPECT_NE(complaint([](JudgePlan& p) { p.judges.clear(); }).find("`judges`"), std::string::npos);
  EXPECT_NE(complaint([](JudgePlan& p) { p.judges.pop_back(); }).find("`escalate`"),
            std::string::npos);
  EXPECT_NE(complaint([](JudgePlan& p) { p.judges[1] = p.judges[0]; }).find("twice"),
            std::string::npos);
  EXPECT_NE(complaint([](JudgePlan& p) { p.base_url = "http://h"; }).find("`base_url`"),
            std::string::npos);
}

TEST(CanaryLines, StandInForTheAnswersOfTheChosenItems) {
  const auto rubric =
      judge::parse_rubric("name: W\nversion: 1\nscale: [1, 2]\ncriteria: {1: a, 2: b}\n", "r", "")
          .value();
  JudgePlan plan = make_plan();
  plan.canaries = 2;
  CanaryLines canaries(plan, rubric);
  EXPECT_EQ(canaries.expected(), 8);
  for (std::int64_t index = 0; index < 3; ++index) {
    JudgeLine line;
    line.id = fmt::format("a{}", index);
    line.fields = {{"answer", "real"}, {"question", "q"}};
    canaries.see(index, line);
  }
  ASSERT_EQ(canaries.lines().size(), 8u);
  for (const CanaryLines::Line& canary : canaries.lines()) {
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
}  // namespace personascope::run
