#include "stats/proportion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/clustered.hpp"
#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(Proportion, AgreesWithStatsmodels) {
  const std::vector<std::pair<std::string, RateMethod>> methods{
      {"wilson", RateMethod::Wilson},
      {"beta", RateMethod::ClopperPearson},
      {"jeffreys", RateMethod::Jeffreys}};
  for (const auto& [name, method] : methods) {
    const Json& table = golden()["proportion_ci_95"][name];
    for (const std::size_t successes : {0u, 3u, 10u}) {
      const auto expected = numbers(table[fmt::format("{}/10", successes)]);
      const Estimate estimate = rate(successes, 10, method).value();
      EXPECT_NEAR(estimate.interval->low, expected[0], kQuantile) << name << successes;
      EXPECT_NEAR(estimate.interval->high, expected[1], kQuantile) << name << successes;
    }
  }
}

TEST(Proportion, RefusesImpossibleCounts) {
  EXPECT_FALSE(rate(0, 0));
  EXPECT_FALSE(rate(4, 3));
  EXPECT_FALSE(rate(1, 3, RateMethod::Wilson, 0));
}

TEST(Proportion, ClustersOfOneGiveNearlyThePlainWilsonInterval) {
  std::vector<double> outcomes(400, 0.0);
  std::vector<std::size_t> clusters(400);
  for (std::size_t i = 0; i < 400; ++i) {
    clusters[i] = i;
    if (i % 4 == 0) outcomes[i] = 1;
  }
  const Estimate clustered = clustered_rate(outcomes, clusters).value();
  const Estimate plain = rate(100, 400).value();
  EXPECT_NEAR(clustered.interval->low, plain.interval->low, 1e-3);
  EXPECT_NEAR(clustered.interval->high, plain.interval->high, 1e-3);
}

TEST(Proportion, PerfectRateStillHasAnIntervalAndCountsClustersNotRows) {
  const std::vector<double> outcomes(500, 1.0);
  std::vector<std::size_t> clusters(500);
  for (std::size_t i = 0; i < 500; ++i) clusters[i] = i / 50;
  const Estimate estimate = clustered_rate(outcomes, clusters).value();
  EXPECT_EQ(estimate.value, 1);
  EXPECT_EQ(estimate.interval->high, 1);
  EXPECT_LT(estimate.interval->low, 0.75);
  EXPECT_TRUE(estimate.has(Caveat::NoVariation));
}

TEST(Proportion, ClusteredRateIsWilsonOnNOverTheDesignEffect) {
  std::vector<double> outcomes;
  std::vector<std::size_t> clusters;
  for (std::size_t i = 0; i < 200; ++i) {
    clusters.push_back(i / 20);
    outcomes.push_back(i % 20 < 5 + i / 20 ? 1.0 : 0.0);
  }
  const Estimate clustered = clustered_rate(outcomes, clusters).value();
  const double share = clustered.value;
  const double effect =
      std::max(1.0, std::pow(*clustered_mean(outcomes, clusters)->standard_error, 2) /
                        (share * (1 - share) / 200));
  const double n = 200 / effect;
  const double t = 2.2621571627409915;
  const double centre = (share + t * t / (2 * n)) / (1 + t * t / n);
  const double half =
      t / (1 + t * t / n) * std::sqrt(share * (1 - share) / n + t * t / (4 * n * n));
  EXPECT_NEAR(clustered.interval->low, centre - half, kQuantile);
  EXPECT_NEAR(clustered.interval->high, centre + half, kQuantile);
}

TEST(Proportion, BoundedMeanIsAsymmetricAtTheCeilingAndAsUsualInTheMiddle) {
  std::vector<double> high(1000, 5.0);
  std::vector<double> middle(1000);
  std::vector<std::size_t> clusters(1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    clusters[i] = i / 10;
    middle[i] = static_cast<double>(1 + i * i % 5);
    if (i % 37 == 0) high[i] = 3;
  }
  const IntervalOptions options{.scale = {1, 5}};
  const Estimate at_ceiling = bounded_mean(high, clusters, options).value();
  EXPECT_TRUE(at_ceiling.has(Caveat::NearScaleEnd));
  EXPECT_GT(at_ceiling.value - at_ceiling.interval->low,
            at_ceiling.interval->high - at_ceiling.value);
  const Estimate usual = clustered_mean(middle, clusters, options).value();
  const Estimate bounded = bounded_mean(middle, clusters, options).value();
  EXPECT_FALSE(bounded.has(Caveat::NearScaleEnd));
  EXPECT_GE(bounded.interval->high - bounded.interval->low,
            0.99 * (usual.interval->high - usual.interval->low));
  EXPECT_FALSE(bounded_mean(middle, clusters, {}));
}

TEST(Proportion, ClusteredRateTakesOnlyOutcomes) {
  EXPECT_FALSE(clustered_rate(std::vector{0.5, 1.0}, std::vector<std::size_t>{0, 1}));
  EXPECT_FALSE(clustered_rate({}, {}));
  const Estimate one =
      clustered_rate(std::vector{0.0, 1.0}, std::vector<std::size_t>{7, 7}).value();
  EXPECT_TRUE(one.has(Caveat::NoError));
}

}  // namespace
}  // namespace personascope::stats
