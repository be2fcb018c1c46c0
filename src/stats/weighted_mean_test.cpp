#include "stats/weighted_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/clustered.hpp"

namespace personascope::stats {
namespace {

const std::vector<double> kValues{1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1};
const std::vector<std::size_t> kClusters{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};

TEST(WeightedMean, WithEqualWeightsIsTheClusteredMean) {
  const std::vector<double> weights(kValues.size(), 0.3);
  const auto weighted = weighted_mean(kValues, weights, kClusters, {.scale = kUnitScale});
  const auto plain = clustered_mean(kValues, kClusters, {.scale = kUnitScale});
  ASSERT_TRUE(weighted && plain);
  EXPECT_NEAR(weighted->estimate.value, plain->value, 1e-12);
  EXPECT_NEAR(*weighted->estimate.standard_error, *plain->standard_error, 1e-12);
  EXPECT_NEAR(weighted->estimate.interval->low, plain->interval->low, 1e-12);
  EXPECT_NEAR(weighted->effective_n, 12, 1e-9);
}

// By hand: sum of w x = 1 + 3 = 4, sum of w = 1 + 1 + 3 + 1 + 1 = 7; residual sums w (x - 4/7).
TEST(WeightedMean, CountsEachScoreByItsWeight) {
  const std::vector<double> values{1, 0, 1, 0, 0};
  const std::vector<double> weights{1, 1, 3, 1, 1};
  const std::vector<std::size_t> clusters{0, 1, 2, 3, 4};
  const auto mean = weighted_mean(values, weights, clusters, {.scale = kUnitScale});
  ASSERT_TRUE(mean);
  EXPECT_NEAR(mean->estimate.value, 4.0 / 7, 1e-12);
  // CR2: each square over the share of the others' weight.
  const double squares = (9.0 + 3 * 16.0) / 49 / (6.0 / 7) + 81.0 / 49 / (4.0 / 7);
  EXPECT_NEAR(*mean->estimate.standard_error, std::sqrt(squares / 49), 1e-12);
  EXPECT_NEAR(mean->effective_n, 49.0 / 13, 1e-12);
  EXPECT_TRUE(mean->estimate.interval);
}

TEST(WeightedMean, HasNoIntervalWithFewClusters) {
  const auto mean = weighted_mean(std::vector<double>{1, 0, 1}, std::vector<double>{1, 2, 1},
                                  std::vector<std::size_t>{0, 1, 2}, {.scale = kUnitScale});
  ASSERT_TRUE(mean);
  EXPECT_FALSE(mean->estimate.interval);
  EXPECT_TRUE(mean->estimate.has(Caveat::TooFewForInterval));
}

TEST(WeightedMean, FailsOnWhatHasNoMeaning) {
  const std::vector<double> one{1};
  const std::vector<std::size_t> cluster{0};
  EXPECT_FALSE(weighted_mean({}, {}, {}));
  EXPECT_FALSE(weighted_mean(one, std::vector<double>{0}, cluster));
  EXPECT_FALSE(weighted_mean(one, std::vector<double>{-1}, cluster));
  EXPECT_FALSE(weighted_mean(one, std::vector<double>{1, 1}, cluster));
  EXPECT_FALSE(weighted_mean(one, one, std::vector<std::size_t>{}));
  EXPECT_FALSE(weighted_mean(std::vector<double>{2}, one, cluster, {.scale = kUnitScale}));
}

}  // namespace
}  // namespace personascope::stats
