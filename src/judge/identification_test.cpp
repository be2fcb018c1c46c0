#include "judge/identification.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace personascope::judge {
namespace {

using Confusion = decltype(Identification::confusion);

ScoredAnswer make_answer(std::size_t persona, std::vector<double> scores) {
  ScoredAnswer answer{persona, {}};
  for (std::size_t i = 0; i < scores.size(); ++i) answer.candidates.push_back({i, scores[i]});
  return answer;
}

TEST(Identification, CentresByPersonaBeforeItRanks) {
  // Persona 0 makes every text likelier by 1; without centring it would win each time.
  const std::vector<ScoredAnswer> answers{make_answer(0, {-1.0, -2.5, -2.5}),
                                          make_answer(1, {-1.5, -2.0, -2.5}),
                                          make_answer(2, {-1.5, -2.5, -2.0})};
  const auto result = identify(answers, 3).value();
  EXPECT_EQ(result.accuracy.value, 1);
  EXPECT_EQ(result.reciprocal_rank.value, 1);
  EXPECT_NEAR(result.chance_accuracy, 1.0 / 3, 1e-12);
  EXPECT_NEAR(result.chance_reciprocal_rank, (1 + 0.5 + 1.0 / 3) / 3, 1e-12);
  EXPECT_EQ(result.confusion, (Confusion{{{0, 0}, 1}, {{1, 1}, 1}, {{2, 2}, 1}}));
  // One answer a persona, each a hit: Wilson's interval of 3 of 3.
  EXPECT_NEAR(result.accuracy.interval->low, 3 / (3 + 1.959964 * 1.959964), 1e-6);
  EXPECT_NEAR(result.accuracy.interval->high, 1, 1e-12);
}

TEST(Identification, TiesCountInPart) {
  const std::vector<ScoredAnswer> same{make_answer(0, {-1, -1}), make_answer(1, {-1, -1})};
  const auto result = identify(same, 2).value();
  EXPECT_EQ(result.accuracy.value, 0.5) << "nothing is told apart: chance";
  EXPECT_EQ(result.reciprocal_rank.value, 0.75);
  EXPECT_EQ(result.confusion,
            (Confusion{{{0, 0}, 0.5}, {{0, 1}, 0.5}, {{1, 0}, 0.5}, {{1, 1}, 0.5}}));
}

TEST(Identification, CandidatesMayDifferFromAnswerToAnswer) {
  const std::vector<ScoredAnswer> answers{
      {0, {{0, -1.0}, {2, -3.0}}}, {1, {{1, -1.0}, {0, -3.0}, {2, -2.0}}}, {2, {{2, -1}, {1, -3}}}};
  const auto result = identify(answers, 3).value();
  EXPECT_EQ(result.accuracy.value, 1);
  EXPECT_NEAR(result.chance_accuracy, (0.5 + 1.0 / 3 + 0.5) / 3, 1e-12);
}

TEST(Identification, APersonaReadForItsOwnAnswersAloneIsNotCentredAway) {
  // Nobody else is confused with persona 2, and its own three answers all speak for it.
  const ScoredAnswer own{2, {{2, 0.5}, {0, 0.2}}};
  const std::vector<ScoredAnswer> answers{own, own, own, {0, {{0, 0.4}, {1, 0.1}}}};
  const auto result = identify(answers, 3).value();
  EXPECT_EQ(result.accuracy.value, 1);
}

TEST(Identification, RefusesWhatCannotBeIdentified) {
  EXPECT_FALSE(identify({}, 2));
  EXPECT_FALSE(identify(std::vector{make_answer(0, {-1})}, 1));
  EXPECT_FALSE(identify(std::vector{make_answer(3, {-1, -2})}, 2));
  EXPECT_FALSE(identify(std::vector{make_answer(0, {-1, NAN})}, 2));
  EXPECT_FALSE(identify(std::vector{ScoredAnswer{0, {{0, -1}, {0, -2}}}}, 2)) << "one twice";
  EXPECT_FALSE(identify(std::vector{ScoredAnswer{0, {{1, -1}, {5, -2}}}}, 2)) << "no such persona";
}

TEST(Identification, TheHeadlineIsTheDifferenceToTheControl) {
  std::vector<ScoredAnswer> answers;
  std::vector<ScoredAnswer> control;
  std::vector<std::size_t> personas;
  for (std::size_t i = 0; i < 48; ++i) {
    const std::size_t persona = i % 12;
    std::vector<double> scores(12, -2.0);
    scores[persona] = i % 5 == 3 ? -2.1 : -1.0;  // one answer in five misses its persona
    answers.push_back(make_answer(persona, scores));
    scores.assign(12, -2.0);
    scores[(persona + i) % 12] = -1.9;
    control.push_back(make_answer(persona, scores));
    personas.push_back(persona);
  }
  const auto found = identify(answers, 12).value();
  const auto by_question = identify(control, 12).value();
  EXPECT_EQ(found.accuracy.clusters, 12u);
  EXPECT_TRUE(found.accuracy.interval);
  EXPECT_NEAR(found.accuracy.value, 39.0 / 48, 1e-12);
  const auto difference = compare_with_control(found, by_question, personas).value();
  EXPECT_NEAR(difference.difference.value, found.accuracy.value - by_question.accuracy.value,
              1e-12);
  EXPECT_EQ(difference.difference.n, 48u);
  personas.pop_back();
  EXPECT_FALSE(compare_with_control(found, by_question, personas));
}

}  // namespace
}  // namespace personascope::judge
