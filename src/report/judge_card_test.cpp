#include "report/judge_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/sample_table_test.hpp"

namespace personascope::report {
namespace {

constexpr AgreementOptions kCardOneToFive{.scale = stats::Scale{1, 5}};

JudgeCard card_of(const Planted& planted) {
  return make_judge_card(make_judged(planted), {.repeats = {2}, .reversed = 3, .length = 4},
                         kCardOneToFive)
      .value();
}

bool mentions(const JudgeCard& card, std::string_view word) {
  return std::ranges::any_of(card.reasons, [&](const std::string& reason) {
    return reason.find(word) != std::string::npos;
  });
}

TEST(JudgeCard, AGoodJudgeIsFitForLevels) {
  const JudgeCard card = card_of({.items = 400});
  EXPECT_EQ(card.fitness, Fitness::Levels);
  EXPECT_TRUE(card.reasons.empty()) << card.reasons.front();
  std::size_t counted = 0;
  for (const auto& row : card.confusion) {
    for (const std::size_t count : row) counted += count;
  }
  EXPECT_EQ(counted, 400u);
  EXPECT_GT(card.exact->value, 0.6);
}

TEST(JudgeCard, ABiasThatTooFewLabelsCannotExcludeStandsInTheWay) {
  // 160 labels show the length bias to about a quarter of a point either way; a fifth is allowed.
  const JudgeCard card = card_of({});
  EXPECT_EQ(card.fitness, Fitness::RankingOnly);
  ASSERT_EQ(card.reasons.size(), 1u) << card.reasons.back();
  EXPECT_TRUE(card.reasons[0].starts_with("the length bias may be as large as 0.2"))
      << card.reasons[0];
}

TEST(JudgeCard, AJudgeThatNeverErrsIsFit) {
  ScoreTable table = make_judged({});
  for (const std::size_t column : {1u, 2u, 3u})
    table.columns[column].cells = table.columns[0].cells;
  const JudgeCard card =
      make_judge_card(table, {.repeats = {2}, .reversed = 3, .length = 4}, kCardOneToFive).value();
  EXPECT_EQ(card.fitness, Fitness::Levels);
  EXPECT_TRUE(card.reasons.empty()) << card.reasons.front();
  // No interval of one point: a share of items that 160 may not show is allowed for.
  const double seen = std::pow(0.025, 1.0 / 160);
  EXPECT_NEAR(card.agreement.coefficients[1].estimate->interval->low, seen, 1e-12);
  EXPECT_NEAR((*card.stability)->interval->low, seen, 1e-12);
  EXPECT_NEAR(card.mean_error->interval->high, 4 * (1 - seen), 1e-12);
  EXPECT_GT((*card.length_bias)->interval->high, 0);
  EXPECT_GT((*card.order_bias)->interval->high, 0);
}

TEST(JudgeCard, ABiasThatIsTheSameOnEveryResampleIsFound) {
  ScoreTable table = make_judged({});
  for (std::size_t i = 0; i < 160; ++i) {
    table.columns[1].cells[i] = static_cast<double>(1 + i % 4);
    table.columns[4].cells[i] = static_cast<double>(i / 4 % 2);
    table.columns[0].cells[i] = *table.columns[1].cells[i] + *table.columns[4].cells[i];
  }
  const JudgeCard card = make_judge_card(table, {.length = 4}, kCardOneToFive).value();
  EXPECT_NE(card.fitness, Fitness::Levels);
  EXPECT_EQ((*card.length_bias)->value, 1);
  EXPECT_TRUE(mentions(card, "length bias"));
}

TEST(JudgeCard, FindsEveryPlantedBias) {
  const JudgeCard lenient = card_of({.shift = 0.5});
  EXPECT_EQ(lenient.fitness, Fitness::RankingOnly);
  EXPECT_GT(lenient.mean_error->interval->low, 0.2);
  EXPECT_TRUE(mentions(lenient, "mean error"));

  const JudgeCard wordy = card_of({.per_length = 1.5});
  EXPECT_EQ(wordy.fitness, Fitness::RankingOnly);
  EXPECT_GT((*wordy.length_bias)->interval->low, 0.3);
  EXPECT_TRUE(mentions(wordy, "length bias"));

  const JudgeCard ordered = card_of({.reversed = -0.6});
  EXPECT_EQ(ordered.fitness, Fitness::RankingOnly);
  EXPECT_LT((*ordered.order_bias)->interval->high, -0.3);
  EXPECT_TRUE(mentions(ordered, "order bias"));

  const JudgeCard fickle = card_of({.repeat_noise = 4});
  EXPECT_EQ(fickle.fitness, Fitness::NotFit);
  ASSERT_EQ(fickle.reasons.size(), 1u) << "what stands in the way of ranking, and that once";
  EXPECT_TRUE(mentions(fickle, "repeats"));
  EXPECT_TRUE(fickle.reasons[0].ends_with("at least 0.67 is needed")) << fickle.reasons[0];
}

TEST(JudgeCard, ANoisyJudgeIsNotFit) {
  const JudgeCard card = card_of({.noise = 6});
  EXPECT_EQ(card.fitness, Fitness::NotFit);
  EXPECT_TRUE(mentions(card, "Spearman"));
}

TEST(JudgeCard, AsksForLabelsAndAScale) {
  ScoreTable table = make_judged({});
  for (std::size_t i = 20; i < 160; ++i) table.columns[1].cells[i].reset();
  EXPECT_EQ(make_judge_card(table, {}, kCardOneToFive)->fitness, Fitness::NotEnoughLabels);
  for (auto& cell : table.columns[1].cells) cell.reset();
  EXPECT_FALSE(make_judge_card(table, {}, kCardOneToFive));
  EXPECT_FALSE(make_judge_card(make_judged({}), {}, {}));
  EXPECT_FALSE(make_judge_card(make_judged({}), {}, {.scale = stats::Scale{1, 4}}));
}

TEST(JudgeCard, LabelsThatTellNothingAreNotHeldAgainstTheJudge) {
  const CellList threes(40, 3);
  const JudgeCard alike =
      make_judge_card(make_table({threes, threes}, 4), {}, kCardOneToFive).value();
  EXPECT_EQ(alike.fitness, Fitness::NotEnoughLabels);
  EXPECT_TRUE(mentions(alike, "all labels are the same"));
  CellList labels;
  for (std::size_t i = 0; i < 40; ++i) labels.push_back(static_cast<double>(1 + i % 5));
  const JudgeCard few =
      make_judge_card(make_table({labels, labels}, 20), {}, kCardOneToFive).value();
  EXPECT_EQ(few.fitness, Fitness::NotEnoughLabels);
  EXPECT_TRUE(mentions(few, "too few clusters"));
  const JudgeCard stubborn =
      make_judge_card(make_table({threes, labels}, 4), {}, kCardOneToFive).value();
  EXPECT_EQ(stubborn.fitness, Fitness::NotFit) << "a judge that never varies ranks nothing";
}

TEST(JudgeCard, AJudgeThatMetEveryLabelIsNotCalledUnfit) {
  CellList labels(120, 5);
  labels[7] = 4;
  const JudgeCard card =
      make_judge_card(make_table({labels, labels}, 10), {}, kCardOneToFive).value();
  EXPECT_EQ(card.fitness, Fitness::NotEnoughLabels);
  EXPECT_TRUE(mentions(card, "nearly all labels are the same"));
  const auto& spearman = card.agreement.coefficients[2].estimate;
  EXPECT_EQ(spearman->value, 1) << "it has a value all the same";
  EXPECT_TRUE(spearman->has(stats::Caveat::MostlyUndefined));
}

TEST(JudgeCard, ScoresBetweenLevelsCountAsTheNearest) {
  ScoreTable table = make_judged({});
  for (std::size_t i = 0; i < 160; i += 2) {
    double& score = *table.columns[0].cells[i];
    score += score == 5 || (score > 1 && i % 4 == 0) ? -0.2 : 0.2;
  }
  table.columns[0].cells[3].reset();
  const JudgeCard card = make_judge_card(table, {}, kCardOneToFive).value();
  const JudgeCard whole = make_judge_card(make_judged({}), {}, kCardOneToFive).value();
  EXPECT_TRUE(card.rounded);
  EXPECT_FALSE(whole.rounded);
  EXPECT_EQ(card.unjudged, 1u);
  EXPECT_NEAR(card.agreement.coefficients[1].estimate->value,
              whole.agreement.coefficients[1].estimate->value, 0.02);
  EXPECT_FALSE(card.confusion.empty());
  EXPECT_EQ(card.fitness, Fitness::Levels);
}

TEST(JudgeCard, WhatWasNotGivenIsNotMeasured) {
  const JudgeCard card = make_judge_card(make_judged({}), {}, kCardOneToFive).value();
  EXPECT_FALSE(card.length_bias || card.order_bias || card.stability);
  EXPECT_TRUE(to_json(card)["stability"].is_null());
}

}  // namespace
}  // namespace personascope::report
