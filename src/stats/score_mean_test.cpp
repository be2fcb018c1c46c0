#include "stats/score_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/clustered.hpp"
#include "stats/distribution.hpp"
#include "stats/proportion.hpp"

namespace personascope::stats {
namespace {

constexpr IntervalOptions kOneToFive{.scale = {1, 5}};

std::vector<std::size_t> blocks(std::size_t n, std::size_t size) {
  std::vector<std::size_t> clusters(n);
  for (std::size_t i = 0; i < n; ++i) clusters[i] = i / size;
  return clusters;
}

TEST(ScoreMean, IsTheClusteredMeanInTheMiddleOfTheScaleAndWithoutOne) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 200; ++i) values.push_back(static_cast<double>(1 + i * i % 5));
  const auto clusters = blocks(200, 10);
  for (const IntervalOptions& options : {kOneToFive, IntervalOptions{}}) {
    const Estimate usual = clustered_mean(values, clusters, options).value();
    const Estimate estimate = score_mean(values, clusters, options).value();
    EXPECT_EQ(estimate.interval->low, usual.interval->low);
    EXPECT_EQ(estimate.interval->high, usual.interval->high);
    EXPECT_EQ(estimate.method, usual.method);
  }
}

TEST(ScoreMean, ReachesFurtherAwayFromANearEnd) {
  std::vector<double> values(200, 5.0);
  values[3] = values[57] = 4;
  const auto clusters = blocks(200, 10);
  const Estimate estimate = score_mean(values, clusters, kOneToFive).value();
  const Estimate usual = clustered_mean(values, clusters, kOneToFive).value();
  EXPECT_LT(estimate.interval->low, usual.interval->low - 0.02);
  EXPECT_LE(estimate.interval->high, 5);
  EXPECT_GE(estimate.interval->high, estimate.value);
  EXPECT_FALSE(estimate.has(Caveat::NearScaleEnd));
  EXPECT_NE(estimate.method.find("unseen"), std::string::npos);

  // The mirror image gives the mirrored interval.
  std::vector<double> mirrored;
  for (const double value : values) mirrored.push_back(6 - value);
  const Estimate other = score_mean(mirrored, clusters, kOneToFive).value();
  EXPECT_NEAR(other.interval->high, 6 - estimate.interval->low, 1e-6);
  EXPECT_NEAR(other.interval->low, 6 - estimate.interval->high, 1e-6);
}

// 20 personas with 10 rows each, one of which has `bad` in each persona of `bad_personas`.
Estimate with_bad_rows(std::size_t bad_personas, double bad) {
  std::vector<double> values(200, 5.0);
  for (std::size_t persona = 0; persona < bad_personas; ++persona) values[10 * persona] = bad;
  return score_mean(values, blocks(200, 10), kOneToFive).value();
}

TEST(ScoreMean, IsTheBetaIntervalOfThePersonasAndAnUnseenOne) {
  // Two gaps of 0.025 widths of the scale, and as much again for a row that lost a quarter of it:
  // over 0.05^2 / (3 * 0.025^2) = 4/3 clusters, so the unseen one is at 0.025 ^ (4/3 / (4/3
  // + 3.5)).
  const double unseen = std::pow(0.025, 8.0 / 29);
  const double mean = (2 * 0.025 + unseen) / 21;
  const double squares =
      2 * (0.025 - mean) * (0.025 - mean) + 18 * mean * mean + (unseen - mean) * (unseen - mean);
  const double strength = mean * (1 - mean) / (squares / (21 * 20)) - 1;
  const Interval interval = *with_bad_rows(2, 4).interval;
  const auto gap_at = [&](double probability) {
    return beta_quantile(probability, mean * strength, (1 - mean) * strength);
  };
  // With 20 personas the tails are tilted by a half.
  EXPECT_NEAR(interval.low, 5 - 4 * gap_at(1 - 2 * 0.025), 1e-9);
  EXPECT_NEAR(interval.high, 5 - 4 * gap_at(0.85 * 0.025), 1e-9);
}

TEST(ScoreMean, ReachesFurtherTheWorseThePersonasThatWereSeen) {
  for (const double bad : {3.0, 2.0, 1.0}) {
    EXPECT_LT(with_bad_rows(2, bad).interval->low, with_bad_rows(2, bad + 1).interval->low);
  }
}

TEST(ScoreMean, PassesOverToTheClusteredMeanWithoutAJump) {
  // Personas from 5 down to `worst`, on a scale of any fineness.
  Interval before{};
  for (int step = 0; step < 300; ++step) {
    const double worst = 4 - step * 0.01;
    std::vector<double> values;
    for (int persona = 0; persona < 12; ++persona) {
      values.push_back(5 - (5 - worst) * persona / 11);
      values.push_back(values.back());
    }
    const Interval interval = *score_mean(values, blocks(24, 2), kOneToFive).value().interval;
    if (step > 0) {
      EXPECT_NEAR(interval.low, before.low, 0.02) << worst;
      EXPECT_NEAR(interval.high, before.high, 0.02) << worst;
    }
    before = interval;
  }
}

TEST(ScoreMean, WeighsPersonasByTheirRows) {
  // The bad persona has 40 of 130 rows, and its rows count as often.
  std::vector<double> values(130, 5.0);
  std::vector<std::size_t> clusters;
  for (std::size_t i = 0; i < 130; ++i) clusters.push_back(i < 40 ? 0 : 1 + (i - 40) / 10);
  for (std::size_t i = 0; i < 40; i += 2) values[i] = 4;
  const Estimate large = score_mean(values, clusters, kOneToFive).value();
  const Estimate even = score_mean(values, blocks(130, 13), kOneToFive).value();
  EXPECT_LT(large.interval->low, even.interval->low);
  EXPECT_LE(large.interval->high, 5);
}

TEST(ScoreMean, StaysHonestWhereEveryScoreIsTheBest) {
  const std::vector<double> values(500, 5.0);
  const Estimate estimate = score_mean(values, blocks(500, 50), kOneToFive).value();
  EXPECT_EQ(estimate.value, 5);
  EXPECT_EQ(estimate.interval->high, 5);
  EXPECT_LT(estimate.interval->low, 4.75);
  EXPECT_GT(estimate.interval->low, 4.5);
  EXPECT_FALSE(estimate.has(Caveat::NoVariation));  // the interval knows
  // The more rows were faultless, the less a persona can hide.
  const Estimate few = score_mean(std::vector(50, 5.0), blocks(50, 5), kOneToFive).value();
  EXPECT_LT(few.interval->low, estimate.interval->low);
}

TEST(ScoreMean, EqualScoresOffTheEndHaveNoInterval) {
  // Ten answers of 4 say nothing of how far other answers lie.
  for (const double score : {3.0, 4.0, 4.5, 4.9}) {
    const Estimate estimate = score_mean(std::vector(10, score), blocks(10, 1), kOneToFive).value();
    EXPECT_FALSE(estimate.interval) << score;
    EXPECT_TRUE(estimate.has(Caveat::NoVariation)) << score;
  }
}

TEST(ScoreMean, SaysThatRarePersonasMayBeMissing) {
  std::vector<double> values(500, 5.0);
  EXPECT_TRUE(score_mean(values, blocks(500, 5), kOneToFive)->has(Caveat::RareClusters));
  for (std::size_t i = 0; i < 5; ++i) values[i] = 1;
  EXPECT_TRUE(score_mean(values, blocks(500, 5), kOneToFive)->has(Caveat::RareClusters));
  for (std::size_t i = 0; i < 500; i += 7) values[i] = 4;
  EXPECT_TRUE(score_mean(values, blocks(500, 5), kOneToFive)->interval.has_value());
  values.assign(500, 5.0);
  for (std::size_t i = 0; i < 500; i += 7) values[i] = 3;
  EXPECT_FALSE(score_mean(values, blocks(500, 5), kOneToFive)->has(Caveat::RareClusters));
}

TEST(ScoreMean, TwoWaysGiveTheTwoWayErrorAndTheShapeOfTheEnd) {
  std::vector<double> values;
  std::vector<std::size_t> personas;
  std::vector<std::size_t> questions;
  for (std::size_t persona = 0; persona < 12; ++persona)
    for (std::size_t question = 0; question < 15; ++question) {
      personas.push_back(persona);
      questions.push_back(question);
      values.push_back(question == 3 || (persona == 5 && question < 6) ? 0 : 1);
    }
  const IntervalOptions shares{.scale = kUnitScale};
  const Estimate both = two_way_score_mean(values, personas, questions, shares).value();
  const Estimate plain = two_way_mean(values, personas, questions, shares).value();
  const Estimate by_question = score_mean(values, questions, shares).value();
  EXPECT_EQ(both.standard_error, plain.standard_error);
  ASSERT_TRUE(both.interval && by_question.interval);
  const double stretch = *both.standard_error / *by_question.standard_error;
  EXPECT_NEAR(both.value - both.interval->low, stretch * (both.value - by_question.interval->low),
              1e-12);
  EXPECT_LE(both.interval->high, 1);
  // All right: the interval is that of the fewer clusters.
  const std::vector<double> best(values.size(), 1.0);
  const Estimate perfect = two_way_score_mean(best, personas, questions, shares).value();
  EXPECT_EQ(perfect.interval->low, score_mean(best, personas, shares)->interval->low);
}

TEST(ScoreMean, AScoreHardlyOffTheEndChangesNothing) {
  const auto clusters = blocks(200, 10);
  const Interval best = *score_mean(std::vector(200, 5.0), clusters, kOneToFive)->interval;
  std::vector<double> values(200, 5.0);
  values[0] = 4.999;
  EXPECT_NEAR(score_mean(values, clusters, kOneToFive)->interval->low, best.low, 0.01);
  values.assign(200, 4.9999);
  EXPECT_NEAR(score_mean(values, clusters, kOneToFive)->interval->low, best.low, 0.01);
  for (std::size_t i = 0; i < 200; i += 10) values[i] = 5 - 1e-5 * static_cast<double>(i);
  EXPECT_NEAR(score_mean(values, clusters, kOneToFive)->interval->low, best.low, 0.01);
}

TEST(ScoreMean, HoldsTheMeanAtAnyConfidence) {
  std::vector<double> values(50, 5.0);
  values[0] = 2;
  double width = 0;
  for (const double confidence : {0.01, 0.3, 0.6, 0.9, 0.99, 0.9999}) {
    const Estimate estimate =
        score_mean(values, blocks(50, 5), {.scale = {1, 5}, .confidence = confidence}).value();
    EXPECT_LE(estimate.interval->low, estimate.value) << confidence;
    EXPECT_GE(estimate.interval->high, estimate.value) << confidence;
    EXPECT_GE(estimate.interval->high - estimate.interval->low, width) << confidence;
    width = estimate.interval->high - estimate.interval->low;
  }
}

TEST(ScoreMean, AgreesWithTheClusteredMeanForManyPersonas) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 60'000; ++i) values.push_back(i % 11 == 0 ? 3 : 5);
  const auto clusters = blocks(60'000, 3);
  const Interval interval = *score_mean(values, clusters, kOneToFive)->interval;
  const Interval usual = *clustered_mean(values, clusters, kOneToFive)->interval;
  EXPECT_NEAR(interval.low, usual.low, 2e-4);
  EXPECT_NEAR(interval.high, usual.high, 2e-4);
}

TEST(ScoreMean, IsWilsonForIndependentPassesAndFails) {
  std::vector<double> values(40, 1.0);
  values[0] = values[1] = 0;
  const Estimate estimate = score_mean(values, blocks(40, 1), {.scale = kUnitScale}).value();
  const Estimate wilson = rate(38, 40).value();
  EXPECT_DOUBLE_EQ(estimate.interval->low, wilson.interval->low);
  EXPECT_DOUBLE_EQ(estimate.interval->high, wilson.interval->high);
  EXPECT_EQ(estimate.method, "Wilson");
  // Three trials are enough for Wilson, though not for a t interval.
  EXPECT_TRUE(score_mean(std::vector{0.0, 1.0, 1.0}, blocks(3, 1), {.scale = kUnitScale})
                  ->interval.has_value());
}

TEST(ScoreMean, SaysWhatIsMissingForFewClusters) {
  const std::vector<double> values{5, 4, 5, 5, 5, 4, 5, 5};
  const Estimate one = score_mean(values, blocks(8, 8), kOneToFive).value();
  EXPECT_TRUE(one.has(Caveat::NoError));
  EXPECT_FALSE(one.interval);
  const Estimate four = score_mean(values, blocks(8, 2), kOneToFive).value();
  EXPECT_TRUE(four.has(Caveat::TooFewForInterval));
  EXPECT_FALSE(four.interval);
  EXPECT_FALSE(score_mean({}, {}, kOneToFive));
  EXPECT_FALSE(score_mean(std::vector{7.0}, blocks(1, 1), kOneToFive));
}

}  // namespace
}  // namespace personascope::stats
