#include "eval/personagym/plan.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personagym {
namespace {

GymPlan make_full_plan() {
  GymPlan plan;
  plan.tasks = {"expected-action"};
  plan.limit = 7;
  plan.epochs = 3;
  plan.seed = 18446744073709551615u;
  plan.model = "openai/a";
  plan.judges = {"openai/b", "openai/c"};
  plan.judging = {.form = judge::ReplyForm::Schema,
                  .orders = judge::Orders::Both,
                  .repeats = 2,
                  .temperature = 0.5,
                  .max_tokens = 99};
  plan.rule = judge::PanelRule::Median;
  plan.protocol = Protocol::Reference;
  plan.as_published = true;
  plan.ready_made = ReadyMade::Ignore;
  plan.probes = Probes::All;
  plan.pack = "/pack";
  plan.pack_sha256 = "abc";
  plan.personas = {{"p1", "a nurse"}, {"p2", "a sailor"}};
  plan.distractors = {"a clerk"};
  plan.scores_to = "/scores.json";
  return plan;
}

// As version 0.1 stored it.
constexpr const char* kVersion01 = R"({"evaluation": "gym", "pack": "/p", "own_pack": "/o",
    "pack_sha256": "1", "inputs_sha256": "", "task_files": ["/t.yaml"], "tasks": ["a"],
    "personas": [{"id": "p1", "persona": "a nurse"}], "model": "openai/a", "judges": ["openai/b"],
    "question_model": "openai/b", "example_model": "", "reader": "", "distractors": [],
    "protocol": "strict", "as_published": false, "until": "grades", "ready_made": true,
    "questions_per_task": 4, "epochs": 2, "seed": 5, "temperature": 0.3, "top_p": 0.8,
    "max_output_tokens": 77, "verdicts": "text", "both_orders": true, "judge_repeats": 3,
    "judge_max_output_tokens": 55, "judge_temperature": 0.7, "panel": "median", "canaries": 0,
    "readings": 9, "controls": 1, "questions_from": "/q", "questions_to": "", "responses_from": "",
    "responses_to": "/r", "scores_to": "", "engine": {}, "version": "0.1.0"})";

Json stored_with(const char* member, const Json& value) {
  Json stored = parse_json(kVersion01).value();
  stored[member] = value;
  return stored;
}

TEST(GymPlan, SurvivesTheWayThroughJson) {
  const Json stored = to_json(make_full_plan());
  const auto read = parse_gym_plan(stored);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), stored);
  EXPECT_EQ(read->judging.temperature, 0.5);
  EXPECT_EQ(read->seed, 18446744073709551615u);
  EXPECT_EQ(read->ready_made, ReadyMade::Ignore);
  EXPECT_EQ(read->personas[1].text, "a sailor");
}

TEST(GymPlan, OfVersion01IsRead) {
  const auto plan = parse_gym_plan(parse_json(kVersion01).value());
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->task_files, std::vector<std::string>{"/t.yaml"});
  EXPECT_EQ(plan->judges, std::vector<std::string>{"openai/b"});
  EXPECT_EQ(plan->questions_per_task, 4);
  EXPECT_EQ(plan->epochs, 2);
  EXPECT_EQ(plan->max_tokens, 77);
  EXPECT_EQ(plan->judging.form, judge::ReplyForm::Text);
  EXPECT_EQ(plan->judging.orders, judge::Orders::Both);
  EXPECT_EQ(plan->judging.repeats, 3);
  EXPECT_EQ(plan->judging.max_tokens, 55);
  EXPECT_EQ(plan->judging.temperature, 0.7);
  EXPECT_EQ(plan->rule, judge::PanelRule::Median);
  EXPECT_EQ(plan->canaries, 0);
  EXPECT_EQ(plan->reader, "");
  EXPECT_EQ(plan->ready_made, ReadyMade::Use);
  EXPECT_EQ(plan->until, Stage::Grades);
  EXPECT_EQ(plan->questions_from, "/q");
  EXPECT_EQ(plan->responses_to, "/r");
}

TEST(GymPlan, ThatIsDamagedIsRefusedWithTheNameOfTheMember) {
  const std::tuple<const char*, Json, const char*> damages[] = {
      {"judges", Json::array(), "no judge"},
      {"judges", Json::array({7}), "`judges[0]`"},
      {"epochs", 0, "`epochs`"},
      {"epochs", -1, "`epochs`"},
      {"epochs", 1e18, "`epochs`"},
      {"questions_per_task", 0, "`questions_per_task`"},
      {"questions_per_task", -1, "`questions_per_task`"},
      {"judge_repeats", 0, "`judge_repeats`"},
      {"judge_repeats", 4294967297, "`judge_repeats`"},
      {"canaries", -1, "`canaries`"},
      {"readings", -5, "`readings`"},
      {"seed", -1, "`seed`"},
      {"temperature", "hot", "`temperature`"},
      {"verdicts", "loud", "`verdicts`"},
      {"panel", 3, "`panel`"},
      {"protocol", "secret", "`protocol`"},
      {"until", "dawn", "not one of the gym"},
      {"evaluation", "lens", "not one of the gym"}};
  for (const auto& [member, value, expected] : damages) {
    const auto plan = parse_gym_plan(stored_with(member, value));
    ASSERT_FALSE(plan) << member << " " << value;
    EXPECT_EQ(plan.error().kind, ErrorKind::Invalid);
    EXPECT_NE(plan.error().message.find(expected), std::string::npos) << plan.error().message;
  }
  EXPECT_FALSE(parse_gym_plan(Json(7)));
}

TEST(GymPlan, ThatGradesNothingNeedsNoJudge) {
  Json stored = stored_with("judges", Json::array());
  stored["until"] = "answers";
  EXPECT_TRUE(parse_gym_plan(stored));
}

}  // namespace
}  // namespace personascope::eval::personagym
