// Every rule of a rubric reaches its judge, and what a judge says of a refusal reaches the verdict.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "judge/expected.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"
#include "llm/chain_bench.hpp"

namespace personascope::judge {
namespace {

using Bench = llm::ChainBench;
using Kind = core::VerdictKind;

std::vector<std::string> list_rubric_files() {
  std::vector<std::string> files;
  for (const char* folder : {"gym/tasks", "gym/beside", "lens/rubrics", "bench/rubrics", "rubrics"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(PERSONASCOPE_DATA "/") + folder))
      if (entry.path().extension() == ".yaml" || entry.path().extension() == ".md")
        files.push_back(entry.path().string());
  return files;
}

std::vector<std::string> list_rules(const Rubric& rubric) {
  std::vector<std::string> rules{rubric.asks, rubric.refusal};
  for (const Level& level : rubric.scale.levels) rules.push_back(level.criterion);
  rules.insert(rules.end(), rubric.does_not_matter.begin(), rubric.does_not_matter.end());
  rules.insert(rules.end(), rubric.judge_mistakes.begin(), rubric.judge_mistakes.end());
  return rules;
}

TEST(JudgeRules, EveryRuleOfOurRubricsStandsInEveryPrompt) {
  const std::vector<std::string> files = list_rubric_files();
  EXPECT_GE(files.size(), 20u);
  for (const std::string& file : files) {
    const Rubric rubric = load_rubric(file).value();
    for (const Prompt* prompt : {&rubric.prompt, &rubric.score_prompt}) {
      EXPECT_EQ(list_unseen_rules(rubric, *prompt), std::vector<std::string>{}) << file;
      const std::string text = render_judge_prompt(rubric, *prompt, {}, ScaleOrder::Ascending);
      for (const std::string& rule : list_rules(rubric))
        EXPECT_NE(text.find(rule), std::string::npos) << file << ": " << rule;
    }
  }
}

TEST(JudgeRules, ARuleWithoutAPlaceIsFound) {
  const Rubric rubric = parse_rubric(R"(---
name: Warmth
version: 1
asks: Is it warm?
scale: [1, 2]
criteria: {1: cold, 2: warm}
judge_mistakes: [Taking length for warmth.]
refusal: A refusal is a 1.
---
{asks}
[[ANSWER BEGINS]]
{answer}
[[ANSWER ENDS]]
Verdict: N
)",
                                     "r", "")
                            .value();
  EXPECT_EQ(list_unseen_rules(rubric, rubric.prompt),
            (std::vector<std::string>{"criteria", "judge_mistakes", "refusal"}));
  EXPECT_FALSE(asks_for_refusal(rubric, rubric.prompt));
}

const Rubric kTask = load_rubric(PERSONASCOPE_DATA "/gym/tasks/persona-consistency.yaml").value();
const Fields kDeclined{{"persona", "a nurse"}, {"question", "Who are you?"}, {"answer", "No."}};

Judgement judge(llm::FakeModel& model, const core::Reply& reply, const JudgeOptions& options = {}) {
  Bench bench;
  model.behave_ = [reply](const core::Request&, llm::Delivery, int) -> Task<llm::Attempt> {
    llm::Attempt attempt{reply, {}};
    co_return attempt;
  };
  const Judge one = Judge::create(model, kTask, options).value();
  return sched::run_to_end(bench.loop(), one.judge(bench.chain(), "a1", kDeclined)).value();
}

core::Reply make_plain_reply(const std::string& text) {
  core::Reply reply;
  reply.text = text;
  reply.finish = core::FinishReason::Stop;
  return reply;
}

void expect_declined(const core::Verdict& verdict) {
  EXPECT_EQ(verdict.kind, Kind::Refused) << verdict.text;
  EXPECT_TRUE(verdict.answer_declines) << verdict.text;
}

TEST(JudgedRefusal, IsALineOfAText) {
  const auto read = [](const std::string& text) {
    llm::FakeModel model;
    return judge(model, make_plain_reply(text)).verdict;
  };
  for (const char* text :
       {"It will not play.\nRefusal: yes\nVerdict: 1", "**Refusal:** Yes\n**Verdict:** 1",
        "Refusal: yes\nVerdict: cannot assess",
        "Refusal: yes, it speaks as a program.\nVerdict: 1"})
    expect_declined(read(text));
  for (const char* text : {"Fine.\nRefusal: no\nVerdict: 4", "Fine.\nVerdict: 4",
                           "> Refusal: yes\nIt says so itself.\nRefusal: no\nVerdict: 4",
                           "Refusal. It steps out, then plays.\nRefusal: no\nVerdict: 4"}) {
    EXPECT_EQ(read(text).kind, Kind::Score) << text;
    EXPECT_EQ(read(text).score, 4) << text;
  }
}

TEST(JudgedRefusal, IsAMemberOfTheSchema) {
  llm::FakeModel model;
  model.features_.output_schema = true;
  expect_declined(
      judge(model, make_plain_reply(R"({"rationale": "No.", "refusal": true, "verdict": "1"})"))
          .verdict);
  const core::Request& request = model.requests_.front();
  EXPECT_EQ(request.output->schema, make_verdict_schema(kTask.scale, AskRefusal::Yes));
  EXPECT_EQ(request.output->schema["required"], Json({"rationale", "refusal", "verdict"}));
  EXPECT_NE(request.messages[0].content.find("then \"refusal\" with true or false"),
            std::string::npos);
  EXPECT_EQ(judge(model, make_plain_reply(R"({"rationale": "", "refusal": false, "verdict": "3"})"))
                .verdict.score,
            3);
}

TEST(JudgedRefusal, IsALabelBesideTheScores) {
  const auto read = [](double refusal) {
    llm::FakeModel model;
    model.features_.choices = true;
    core::Reply reply = make_plain_reply("4");
    for (const char* label : {"1", "2", "3", "5"}) reply.choices.push_back({label, -INFINITY});
    reply.choices.insert(reply.choices.begin() + 3, {"4", std::log(0.3)});
    reply.choices.push_back({"R", std::log(refusal)});
    const core::Verdict verdict = judge(model, reply).verdict;
    EXPECT_EQ(model.requests_.front().choices,
              (std::vector<std::string>{"1", "2", "3", "4", "5", "R"}));
    return verdict;
  };
  expect_declined(read(0.4));
  const core::Verdict scored = read(0.25);
  EXPECT_EQ(scored.kind, Kind::Score);
  EXPECT_NEAR(scored.score, 4, 1e-9);
  EXPECT_NEAR(scored.distribution->captured_mass, 0.55, 1e-9);
  EXPECT_FALSE(scored.distribution->low_mass);
}

TEST(JudgedRefusal, IsReadFromAlternativesToo) {
  llm::FakeModel model;
  model.features_.logprobs = true;
  core::Reply reply = make_plain_reply("R");
  reply.logprobs = {{{"R", std::log(0.6)}, {{"R", std::log(0.6)}, {"1", std::log(0.3)}}}};
  expect_declined(judge(model, reply, {.form = ReplyForm::Expected}).verdict);
  // Where so little is captured, the reply may be about anything.
  reply.logprobs = {{{"R", std::log(0.3)}, {{"R", std::log(0.3)}, {"The", std::log(0.6)}}}};
  EXPECT_EQ(judge(model, reply, {.form = ReplyForm::Expected}).verdict.kind, Kind::CannotAssess);
}

TEST(JudgedRefusal, TakesMoreThanHalfOfTheReadingsAndOfThePanel) {
  const auto make = [](const core::Verdict& verdict) {
    Reading reading;
    reading.verdict = verdict;
    return reading;
  };
  const core::Verdict declined = core::make_declined("R");
  const core::Verdict scored = core::make_score(2, "2");
  expect_declined(combine_readings("j", {make(declined), make(declined), make(scored)}).verdict);
  EXPECT_EQ(combine_readings("j", {make(declined), make(scored)}).verdict.score, 2);
  const std::vector<core::Verdict> most{declined, scored, declined};
  expect_declined(combine_panel(most, PanelRule::Mean));
  const std::vector<core::Verdict> half{declined, scored};
  EXPECT_EQ(combine_panel(half, PanelRule::Mean).score, 2);
  // A judge that declines to judge says nothing about the answer.
  const std::vector<core::Verdict> silent{core::make_refusal(""), core::make_refusal(""), scored};
  EXPECT_EQ(combine_panel(silent, PanelRule::Mean).score, 2);
}

TEST(JudgedRefusal, SurvivesTheStore) {
  EXPECT_TRUE(core::to_json(core::make_declined("R")).at("answer_declines").get<bool>());
  EXPECT_FALSE(core::to_json(core::make_refusal("")).contains("answer_declines"));
}

}  // namespace
}  // namespace personascope::judge
