#include "stats/score_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
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

TEST(WeightedMeanQuantile, IsThatOfABetaForTwoPoints) {
  // 5 with weight 10 and 1 with weight a: the mean is 5 - 4 B with B ~ Beta(a, 10).
  for (const double shape : {0.2, 1.0, 7.0}) {
    std::vector<WeightedPoint> points(10, {.value = 5});
    points.push_back({.value = 1, .shape = shape});
    for (const double probability : {0.025, 0.25, 0.9}) {
      const double exact = 5 - 4 * beta_quantile(1 - probability, shape, 10);
      EXPECT_NEAR(weighted_mean_quantile(points, probability), exact, 0.03)
          << shape << " " << probability;
    }
  }
}

TEST(WeightedMeanQuantile, AgreesWithDrawing) {
  std::vector<WeightedPoint> points;
  for (int i = 0; i < 12; ++i) points.push_back({.value = i % 5 + 0.1 * i, .size = 1.0 + i % 3});
  std::vector<double> means(20000);
  Random random(1, "draws");
  for (double& mean : means) {
    double top = 0;
    double bottom = 0;
    for (const WeightedPoint& point : points) {
      const double weight = -std::log(1 - random.unit()) * point.size;
      top += weight * point.value;
      bottom += weight;
    }
    mean = top / bottom;
  }
  for (const double probability : {0.025, 0.5, 0.975}) {
    const double quantile = weighted_mean_quantile(points, probability);
    const auto below =
        std::count_if(means.begin(), means.end(), [&](double mean) { return mean <= quantile; });
    EXPECT_NEAR(static_cast<double>(below) / 20000, probability, 0.01);
  }
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
  EXPECT_LT(estimate.interval->low, usual.interval->low - 0.1);
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

TEST(ScoreMean, StaysHonestWhereEveryScoreIsTheBest) {
  const std::vector<double> values(500, 5.0);
  const Estimate estimate = score_mean(values, blocks(500, 50), kOneToFive).value();
  EXPECT_EQ(estimate.value, 5);
  EXPECT_EQ(estimate.interval->high, 5);
  EXPECT_LT(estimate.interval->low, 4.6);
  EXPECT_TRUE(estimate.has(Caveat::NoVariation));
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
