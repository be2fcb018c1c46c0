#include "eval/persona_bench/bench.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "eval/persona_bench/bench_rig.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::persona_bench {
namespace {

TEST(BenchMain, AsksInTheModeAndScoresByTheCritic) {
  BenchRig rig;
  rig.write_personas("{\"id\": \"u1\", \"age\": \"30\"}\n{\"id\": \"u2\", \"age\": \"40\"}\n");
  rig.write_questions(2);
  rig.plan_.n = 2;
  rig.judge([](const std::string& prompt) { return has(prompt, "Question 1?"); });
  const Json found = rig.run().value();
  EXPECT_EQ(found["evaluation"], "bench/main");
  EXPECT_EQ(found["mode"], "output_only");
  EXPECT_EQ(found["score"]["mean"], 0.5);
  EXPECT_EQ(found["score"]["n"], 2);
  EXPECT_EQ(found["outcomes"]["scored"], 2);
  // The i-th persona with the i-th question; the critic sees the persona and the answer alone.
  EXPECT_EQ(rig.model_.requests_[1].messages.back().content,
            "output-only\n- age: 40\nAsks: Question 2?");
  EXPECT_TRUE(has(rig.judge_.requests_[1].messages.back().content, "- age: 40\nAsks: Question 2?"));
  EXPECT_EQ(rig.records_[0].id, "u1/q1/output_only");
  EXPECT_EQ(rig.lines_[0]["critique"]["conclusion"], "e");
}

TEST(BenchMain, AllModesAreComparedOnTheSamePairs) {
  BenchRig rig;
  std::string personas;
  for (int i = 1; i <= 8; ++i)
    personas += fmt::format("{{\"id\": \"u{}\", \"age\": \"3{}\"}}\n", i, i);
  rig.write_personas(personas);
  rig.write_questions(8);
  rig.plan_.n = 8;
  rig.plan_.modes = {Mode::Baseline, Mode::OutputOnly, Mode::ChainOfThought,
                     Mode::DemographicSummary};
  // Baseline never passes, thinking always does, the other two on questions 1 to 4.
  rig.judge([](const std::string& prompt) {
    const std::string answer = answer_in(prompt);
    if (has(answer, "baseline")) return false;
    if (has(answer, "chain")) return true;
    return has(answer, "n 1?") || has(answer, "n 2?") || has(answer, "n 3?") || has(answer, "n 4?");
  });
  const Json found = rig.run().value();
  EXPECT_EQ(found["mode"], "all");
  ASSERT_EQ(found["modes"].size(), 4u);
  EXPECT_EQ(found["modes"][0]["score"]["mean"], 0);
  EXPECT_EQ(found["modes"][1]["score"]["mean"], 0.5);
  EXPECT_EQ(found["modes"][2]["score"]["mean"], 1);
  ASSERT_EQ(found["comparisons"].size(), 6u);
  const Json& first = found["comparisons"][0];
  EXPECT_EQ(first["first"], "baseline");
  EXPECT_EQ(first["second"], "output_only");
  EXPECT_EQ(first["delta"], 0.5);
  // Differences 1,1,1,1,0,0,0,0: of 16 patterns of four signs, two have a sum of 4 or -4.
  EXPECT_NEAR(first["p"].get<double>(), 0.125, 1e-12);
  for (const core::Request& request : rig.model_.requests_)
    EXPECT_EQ(has(request.messages.back().content, "age"),
              !request.messages.back().content.starts_with("baseline"));
}

TEST(BenchMain, WhatHasNoScoreIsCountedAndLeftOut) {
  BenchRig rig;
  rig.write_personas("{\"id\": \"u1\", \"age\": \"30\"}\n");
  rig.write_questions(4);
  rig.plan_.n = 4;
  rig.judge([](const std::string&) { return true; });
  const auto usual = rig.model_.behave_;
  rig.model_.behave_ = [usual](const core::Request& request, llm::Delivery delivery,
                               int earlier) -> Task<llm::Attempt> {
    const std::string& prompt = request.messages.front().content;
    if (has(request.messages.back().content, "Question 1?")) {
      core::Reply reply;
      reply.text = "I would rather not.";
      reply.finish = core::FinishReason::Refusal;
      llm::Attempt refusal{std::move(reply), {}};
      co_return refusal;
    }
    if (std::ranges::any_of(request.messages, [](const core::Message& message) {
          return has(message.content, "Question 2?");
        })) {
      llm::Attempt attempt = llm::FakeModel::make_attempt("Just talk, no JSON. " + prompt);
      co_return attempt;
    }
    Task<llm::Attempt> task = usual(request, std::move(delivery), earlier);
    llm::Attempt attempt = co_await std::move(task);
    co_return attempt;
  };
  const Json found = rig.run().value();
  EXPECT_EQ(found["outcomes"]["refused"], 1);
  EXPECT_EQ(found["outcomes"]["failed"], 1);
  EXPECT_EQ(found["score"]["mean"], 1);
  EXPECT_EQ(found["score"]["n"], 2);
  EXPECT_EQ(found["score"]["bounds"], Json({0.5, 1.0}));
  EXPECT_EQ(rig.judge_.asked_, 2);
  EXPECT_EQ(rig.records_[1].error->kind, ErrorKind::Unparsable);
}

TEST(BenchMain, IdsThatHoldSlashesDoNotCollide) {
  BenchRig rig;
  rig.write_personas("{\"id\": \"a/b\", \"age\": \"30\"}\n{\"id\": \"a\", \"age\": \"40\"}\n");
  rig.folder_.write(
      "questions.jsonl",
      "{\"id\": \"c\", \"question\": \"1?\"}\n{\"id\": \"b/c\", \"question\": \"2?\"}\n");
  rig.plan_.n = 2;
  rig.judge([](const std::string&) { return true; });
  EXPECT_TRUE(rig.run());
  EXPECT_EQ(rig.records_[0].id, "a%2Fb/c/output_only");
  EXPECT_EQ(rig.records_[1].id, "a/b%2Fc/output_only");
}

TEST(BenchMain, AnAnswerOfBookLengthIsAnOutcomeAndNotJudged) {
  BenchRig rig;
  rig.write_personas(kSixPersonas);
  rig.write_questions(1);
  rig.plan_.n = 1;
  rig.answer([](const std::string&, int) { return std::string(70'000, 'x'); });
  EXPECT_EQ(rig.run().value()["outcomes"]["failed"], 1);
  EXPECT_EQ(rig.lines_[0]["error"]["kind"], "too_large");
  EXPECT_EQ(rig.judge_.asked_, 0);
}

TEST(BenchMain, PairsAreShuffledByTheSeedAndEachIsDifferent) {
  BenchRig rig;
  rig.write_personas(
      "{\"id\": \"u1\", \"age\": \"1\"}\n{\"id\": \"u2\", \"age\": \"2\"}\n"
      "{\"id\": \"u3\", \"age\": \"3\"}\n");
  rig.write_questions(4);
  rig.plan_.pairing = Pairing::Random;
  rig.plan_.n = 12;
  rig.judge([](const std::string&) { return true; });
  const auto list = [&] {
    std::vector<std::string> ids;
    const BenchData data = load_bench_data(rig.plan_).value();
    const auto trials = list_trials(rig.plan_, data).value();
    for (const Trial& trial : trials) ids.push_back(trial.id);
    return ids;
  };
  auto first = list();
  EXPECT_EQ(first, list());
  rig.plan_.seed = 1;
  EXPECT_NE(first, list());
  std::ranges::sort(first);
  EXPECT_EQ(std::ranges::unique(first).begin(), first.end());
  rig.plan_.n = 13;
  EXPECT_TRUE(has(rig.run().error().message, "12 different pairs"));
}

TEST(BenchLoo, EachRowKeepsItsOwnAttributeInWhateverOrderTheyAreListed) {
  std::vector<std::string> attributes{"age", "religion", "sex"};
  std::ranges::sort(attributes);
  do {
    BenchRig rig;
    rig.write_personas(kSixPersonas);
    rig.write_questions(6);
    rig.plan_.kind = Kind::Loo;
    rig.plan_.n = 6;
    rig.plan_.attributes = attributes;
    // The answer shows what the model was shown: it fits u1 if that has the age, the others if it
    // has the religion.
    rig.judge([](const std::string& prompt) {
      EXPECT_TRUE(has(prompt, "- age: ") && has(prompt, "- religion: ") && has(prompt, "- sex: "));
      return has(answer_in(prompt), has(prompt, "- age: 31") ? "- age: " : "- religion: ");
    });
    const Json found = rig.run().value();
    EXPECT_EQ(found["score"]["mean"], 1);
    ASSERT_EQ(found["attributes"].size(), 3u);
    EXPECT_EQ(found["attributes"][0]["attribute"], "religion");  // the largest delta first
    const Json religion = find_row(found["attributes"], "attribute", "religion");
    EXPECT_EQ(religion["with"], 1);
    EXPECT_NEAR(religion["without"].get<double>(), 1.0 / 6, 1e-12);
    EXPECT_NEAR(religion["delta"].get<double>(), 5.0 / 6, 1e-12);
    EXPECT_EQ(religion["n"], 6);
    // Of 32 patterns of five signs, two have a sum of 5 or -5.
    EXPECT_NEAR(religion["p"].get<double>(), 0.0625, 1e-12);
    const Json age = find_row(found["attributes"], "attribute", "age");
    EXPECT_NEAR(age["delta"].get<double>(), 1.0 / 6, 1e-12);
    EXPECT_NEAR(religion["p_holm"].get<double>(), 3 * religion["p"].get<double>(), 1e-12);
    const Json sex = find_row(found["attributes"], "attribute", "sex");
    EXPECT_EQ(sex["delta"], 0);
    EXPECT_EQ(sex["p"], 1);  // nothing varies
    EXPECT_EQ(found["all_left_out"]["delta"], 1);
  } while (std::ranges::next_permutation(attributes).found);
}

TEST(BenchPopulations, RatesComplementsAndOverlaps) {
  BenchRig rig;
  std::string lines;
  for (int i = 1; i <= 12; ++i)
    lines += fmt::format("{{\"id\": \"u{}\", \"age\": \"{}\", \"sex\": \"{}\"}}\n", i, 20 + i,
                         i <= 6 ? "Female" : "Male");
  rig.write_personas(lines);
  rig.write_questions(12);
  rig.plan_.kind = Kind::Intersectionality;
  rig.plan_.n = 12;
  const auto personas = load_personas(rig.plan_.personas).value();
  for (const char* text : {"sex=female", "age 21-24", "age=90-99"})
    rig.plan_.populations.push_back(parse_expression(text, personas).value());
  // Of the women 4 pass (aged 21 to 24), of the men 1 (27).
  rig.judge([](const std::string& prompt) {
    return std::ranges::any_of(std::vector{"21", "22", "23", "24", "27"}, [&](const char* age) {
      return has(prompt, fmt::format("- age: {}\n", age));
    });
  });
  const Json found = rig.run().value();
  const Json& women = found["populations"][0];
  EXPECT_EQ(women["name"], "sex=female");
  EXPECT_EQ(women["n"], 6);
  EXPECT_NEAR(women["rate"].get<double>(), 4.0 / 6, 1e-12);
  EXPECT_NEAR(women["complement"]["rate"].get<double>(), 1.0 / 6, 1e-12);
  EXPECT_NEAR(women["delta"].get<double>(), 0.5, 1e-12);
  // Errors sqrt(2/9/5) and sqrt(5/36/5): t = 1.8605 with 9.494 degrees of freedom.
  EXPECT_NEAR(women["p"].get<double>(), 0.094, 0.001);
  // Shrunk towards the common rate of the populations' trials, 8 of 10.
  EXPECT_GT(women["shrunk"].get<double>(), 4.0 / 6);
  EXPECT_LT(women["shrunk"].get<double>(), 0.8 + 1e-9);
  EXPECT_EQ(found["populations"][1]["rate"], 1);
  EXPECT_EQ(found["populations"][2]["n"], 0);
  EXPECT_TRUE(found["populations"][2]["rate"].is_null());
  EXPECT_EQ(found["disjoint"], false);
  ASSERT_EQ(found["overlaps"].size(), 1u);
  EXPECT_EQ(found["overlaps"][0]["personas"], 4);
  EXPECT_TRUE(has(render_json(found["notes"]), "no persona of this run is in age 90-99"));
}

TEST(BenchPassAtK, CountsSubsetsOfDraftsAndWritesTheCurve) {
  BenchRig rig;
  rig.write_personas(kSixPersonas);
  rig.write_questions(6);
  rig.plan_.kind = Kind::PassAtK;
  rig.plan_.n = 6;
  rig.plan_.k = 3;
  rig.plan_.csv_to = rig.folder_.path("curve.csv");
  rig.answer([](const std::string&, int earlier) { return fmt::format("draft {}.", earlier); });
  // Drafts 0, 1, 2 are the first pair's and all pass; 4 is the second of the second pair.
  rig.judge([](const std::string& prompt) {
    return has(prompt, "draft 0.") || has(prompt, "draft 1.") || has(prompt, "draft 2.") ||
           has(prompt, "draft 4.");
  });
  const Json found = rig.run().value();
  const auto value = [&](const char* curve, std::size_t k) {
    return found[curve][k - 1]["value"].get<double>();
  };
  EXPECT_NEAR(value("pass_at_k", 1), (1 + 1.0 / 3) / 6, 1e-12);
  EXPECT_NEAR(value("pass_at_k", 2), (1 + 2.0 / 3) / 6, 1e-12);  // 2 of the 3 subsets have it
  EXPECT_NEAR(value("pass_at_k", 3), 2.0 / 6, 1e-12);
  EXPECT_NEAR(value("pass_hat_k", 1), (1 + 1.0 / 3) / 6, 1e-12);
  EXPECT_NEAR(value("pass_hat_k", 2), 1.0 / 6, 1e-12);
  // 1 draft, on average 2 of 3, and four times all 3.
  EXPECT_NEAR(found["attempts"]["value"].get<double>(), (1 + 2 + 4 * 3) / 6.0, 1e-12);
  EXPECT_EQ(found["attempts"]["first_success"]["at_draft"], Json({1, 1, 0}));
  EXPECT_EQ(found["attempts"]["first_success"]["never"], 4);
  const std::string curve = files::load_text(rig.plan_.csv_to).value();
  EXPECT_TRUE(curve.starts_with("k,cum_score\n1,0.2222")) << curve;
  EXPECT_EQ(std::ranges::count(curve, '\n'), 4);
  rig.plan_.temperature = 0;
  EXPECT_TRUE(has(rig.run().error().message, "at temperature 0"));
}

TEST(BenchPlan, SurvivesBeingStored) {
  BenchPlan plan;
  plan.kind = Kind::Intersectionality;
  plan.judge = "fake/judge";
  plan.modes = {Mode::ChainOfThought};
  plan.pairing = Pairing::Random;
  plan.seed = 18446744073709551615u;
  plan.populations = {{"young", {{"age", {}, std::pair(18.0, 34.0)}, {"sex", {"Female"}, {}}}}};
  const Json stored = to_json(plan);
  EXPECT_EQ(to_json(parse_bench_plan(stored).value()), stored);
  EXPECT_FALSE(parse_bench_plan({{"evaluation", "gym"}}));
}

TEST(Population, ValuesMayBeRangesAndMustBeSomebodys) {
  BenchRig rig;
  rig.write_personas(kSixPersonas);
  const auto personas = load_personas(rig.plan_.personas).value();
  const auto ages = parse_expression("age=31-32|36-90", personas).value();
  EXPECT_TRUE(check_values(ages, personas));
  EXPECT_EQ(match({ages}, personas)[0], (std::vector<bool>{true, true, false, false, false, true}));
  EXPECT_TRUE(check_values(parse_expression("sex=female", personas).value(), personas));
  const auto typo =
      check_values(parse_expression("religion=Qaker|Sikh", personas).value(), personas);
  ASSERT_FALSE(typo);
  EXPECT_TRUE(typo.error().message.starts_with(
      "no persona has the religion \"Qaker\"; did you mean Quaker"))
      << typo.error().message;
}

TEST(Population, BadExpressionsSayWhatIsWrong) {
  const std::vector<Persona> personas{{"1", {{"age", "30"}, {"political views", "Votes"}}}};
  const std::pair<const char*, const char*> cases[] = {
      {"agee 18-34", "did you mean age"},
      {"age", "is not a condition"},
      {"age 34-18", "is not a condition"},
      {"age= ", "names no value"},
      {"age 18-34 & ", "an empty condition"},
      {"political view=Votes", "did you mean political views"}};
  for (const auto& [text, message] : cases) {
    const auto population = parse_expression(text, personas);
    ASSERT_FALSE(population) << text;
    EXPECT_TRUE(has(population.error().message, message)) << population.error().message;
  }
  const auto json = parse_json(R"([{"attributes": [{"attribute": "Age", "values": ["25-35"]}]}])");
  const auto populations = parse_intersections(*json, personas).value();
  EXPECT_EQ(populations[0].name, "age 25-35");
  EXPECT_TRUE(match(populations, personas)[0][0]);
}

}  // namespace
}  // namespace personascope::eval::persona_bench
