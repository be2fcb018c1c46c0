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

}  // namespace
}  // namespace personascope::stats
