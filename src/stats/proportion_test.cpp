#include "stats/proportion.hpp"

#include <gtest/gtest.h>

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

TEST(Proportion, ClusteredRateTakesOnlyOutcomes) {
  EXPECT_FALSE(clustered_rate(std::vector{0.5, 1.0}, std::vector<std::size_t>{0, 1}));
  EXPECT_FALSE(clustered_rate({}, {}));
  const Estimate one =
      clustered_rate(std::vector{0.0, 1.0}, std::vector<std::size_t>{7, 7}).value();
  EXPECT_TRUE(one.has(Caveat::NoError));
}

}  // namespace
}  // namespace personascope::stats
