#include <gtest/gtest.h>

#include <map>

#include "eval/persona_bench/generator.hpp"
#include "eval/persona_bench/trial.hpp"
#include "files/testing/temporary_folder.hpp"

namespace personascope::eval::persona_bench {
namespace {

Question make_question(const char* id, const char* needs) {
  return {id, "Why?", parse_needs(needs, "here").value()};
}

TEST(Pairing, NoQuestionIsAskedOfWhomItDoesNotSuit) {
  BenchData data;
  data.personas = {{"young", {{"age", "20"}, {"work", "Student"}}},
                   {"old", {{"age", "70"}, {"work", "Retired"}}},
                   {"unknown", {{"work", "Cook"}}}};
  data.questions = {make_question("any", ""), make_question("old", "age=60-94"),
                    make_question("idle", "work!=Cook|Nurse"),
                    make_question("both", "age=18-30 & work=Student|Cook")};
  BenchPlan plan;
  plan.modes = {Mode::OutputOnly};
  plan.controls = 0;
  plan.pairing = Pairing::Index;
  plan.n = 8;
  const auto trials = list_trials(plan, data);
  ASSERT_TRUE(trials) << trials.error().message;
  std::map<std::string, int> asked;
  for (const Trial& trial : *trials) {
    EXPECT_TRUE(suits(data.questions[trial.question], data.personas[trial.persona])) << trial.id;
    EXPECT_EQ(++asked[trial.id], 1) << trial.id;
  }
  EXPECT_EQ(trials->size(), 8u);
  plan.n = 12;  // of the twelve pairs, nine suit
  EXPECT_NE(list_trials(plan, data).error().message.find("no question left that suits"),
            std::string::npos);
}

TEST(Pairing, WhatIsNoConditionIsRefused) {
  EXPECT_TRUE(parse_needs("  ", "here").value().empty());
  for (const char* text : {"age", "=3", "age=", "age=18-20 & sex", "!=Male"}) {
    const auto needs = parse_needs(text, "here");
    ASSERT_FALSE(needs) << text;
    EXPECT_TRUE(needs.error().message.starts_with("here: ")) << needs.error().message;
  }
}

TEST(Pairing, EveryShippedQuestionSuitsSomeShippedPersonas) {
  const auto personas = load_personas(PERSONASCOPE_DATA "/bench/personas.jsonl").value();
  const auto questions = load_questions(PERSONASCOPE_DATA "/bench/questions.jsonl").value();
  for (const Question& question : questions) {
    const auto suited = std::ranges::count_if(
        personas, [&](const Persona& persona) { return suits(question, persona); });
    EXPECT_GE(suited, 3) << question.id;
    for (const Need& need : question.needs)
      EXPECT_TRUE(personas.front().find(need.condition.attribute)) << question.id;
  }
}

TEST(Generator, WeightsTakeTheTiltBack) {
  const files::TemporaryFolder folder;
  folder.write("origins.yaml", "ancestries: {}\nlanguages: {}\n");
  folder.write("lists.yaml", "{}\n");
  folder.write("jobs.yaml", "{}\n");
  folder.write("rules.yaml", "rules: []\n");
  folder.write("marginals.yaml", R"(
draws:
  - attribute: race
    tilt: {Few: 10}
    tables: [{values: {Few: 5, Many: 95}}]
)");
  const auto drawn = Generator::load(folder.path("")).value().draw(3000, 1).value();
  double few = 0, all = 0, weighted = 0;
  for (const Persona& persona : drawn.personas) {
    const bool is_few = *persona.find("race") == "Few";
    few += is_few ? 1 : 0;
    all += persona.weight;
    weighted += is_few ? persona.weight : 0;
  }
  EXPECT_NEAR(few / 3000, 50.0 / 145, .03);
  EXPECT_NEAR(weighted / all, .05, .01);
  EXPECT_NEAR(all / 3000, 1, .05);
}

TEST(Personas, AWeightIsKeptAndNotShown) {
  const files::TemporaryFolder folder;
  folder.write("p.jsonl", "{\"id\": \"a\", \"age\": \"3\", \"sampling_weight\": 0.25}\n");
  const auto personas = load_personas(folder.path("p.jsonl")).value();
  EXPECT_EQ(personas[0].weight, .25);
  EXPECT_EQ(render_persona(personas[0]), "- age: 3");
  EXPECT_EQ(render_line(personas[0]),
            "{\"id\": \"a\", \"age\": \"3\", \"sampling_weight\": 0.25}\n");
  folder.write("q.jsonl", "{\"id\": \"a\", \"age\": \"3\", \"sampling_weight\": \"-1\"}\n");
  EXPECT_FALSE(load_personas(folder.path("q.jsonl")));
}

}  // namespace
}  // namespace personascope::eval::persona_bench
