#include "eval/persona_bench/findings.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::persona_bench {
namespace {

TEST(BenchFindings, TwentyOfTwentyAgainstNoneHasAP) {
  const std::vector<double> none(20, 0.0);
  const std::vector<double> all(20, 1.0);
  std::vector<Crossing> pairs;
  for (std::size_t i = 0; i < 20; ++i) pairs.emplace_back(i, i + 100);
  const Json row = describe_difference(none, all, pairs);
  EXPECT_EQ(row["delta"], 1);
  EXPECT_NEAR(row["p"].get<double>(), 2.0 / (1 << 20), 1e-12);
  // Nothing varies, so no interval is claimed, and a code says why.
  EXPECT_TRUE(row["ci95"].is_null());
  EXPECT_EQ(row["reasons"][0]["code"], "no_variation");
}

TEST(BenchFindings, QuestionsInCommonWidenTheInterval) {
  // Every persona meets every question; a fifth of the questions is failed by all.
  Scores crossed;
  Scores by_persona;
  for (std::size_t persona = 0; persona < 10; ++persona)
    for (std::size_t question = 0; question < 20; ++question) {
      const double score = question % 5 == 0 || (persona == 3 && question % 2 == 0) ? 0 : 1;
      crossed.add(score, {persona, question});
      by_persona.add(score, persona);
    }
  const Json two_ways = describe_mean(crossed);
  const Json one_way = describe_mean(by_persona);
  EXPECT_EQ(two_ways["mean"], one_way["mean"]);
  const auto width = [](const Json& value) {
    return value["ci95"][1].get<double>() - value["ci95"][0].get<double>();
  };
  EXPECT_GT(width(two_ways), 1.3 * width(one_way));
}

TEST(BenchFindings, ADifferenceInFewQuestionsIsTestedByQuestions) {
  // Ten of a hundred pairs gain, all of them on one question.
  std::vector<double> before(100, 0.0), after(100, 0.0);
  std::vector<Crossing> pairs;
  std::vector<Crossing> personas;
  for (std::size_t i = 0; i < 100; ++i) {
    pairs.emplace_back(i / 10, i % 10);
    personas.emplace_back(i / 10);
    after[i] = i % 10 == 0 ? 1 : 0;
  }
  EXPECT_LT(describe_difference(before, after, personas)["p"].get<double>(), 0.5);
  EXPECT_EQ(describe_difference(before, after, pairs)["p"], 1);
}

TEST(BenchFindings, RowsAdjustedByHolmHaveSimultaneousIntervals) {
  const Json row = {{"delta", 0.2}, {"ci95", {0.1, 0.3}}, {"standard_error", 0.05},
                    {"df", 19.0},   {"p", 0.001},         {"minimum_detectable", 0.15}};
  Json rows = {row, row, row};
  add_holm(rows);
  EXPECT_NEAR(rows[0]["p_holm"].get<double>(), 0.003, 1e-12);
  EXPECT_NEAR(rows[0]["ci95"][0].get<double>(), 0.2 - 2.625 * 0.05, 1e-3);
  EXPECT_GT(rows[0]["minimum_detectable"].get<double>(), 0.15);
}

}  // namespace
}  // namespace personascope::eval::persona_bench
