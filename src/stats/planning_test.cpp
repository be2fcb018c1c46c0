#include "stats/planning.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(Planning, PowerAgreesWithStatsmodels) {
  const Json& data = golden()["power_paired_t"];
  const double power = paired_t_power(data["n"], data["d"], data["alpha"]).value();
  // The golden power rests on a critical value of 1.98421697130 (scipy 1.12) where 1.98421695159 is
  // right; hence the wider tolerance, and the power computed with 30 digits beside it.
  EXPECT_NEAR(power, data["power"].get<double>(), 1e-8);
  EXPECT_NEAR(power, 0.791828327399772829, kQuantile);
}

TEST(Planning, WithoutAnEffectPowerIsTheSignificanceLevel) {
  EXPECT_NEAR(*paired_t_power(20, 0), 0.05, kQuantile);
  EXPECT_NEAR(*paired_t_power(20, -0.5), *paired_t_power(20, 0.5), kClosedForm);
  EXPECT_NEAR(*paired_t_power(5'000'000, 0.5), 1, kClosedForm);
}

TEST(Planning, MinimumDetectableDifferenceHasThePlannedPower) {
  const double n = 25;
  const double difference = minimum_detectable_difference(1 / std::sqrt(n), n - 1).value();
  EXPECT_NEAR(*paired_t_power(25, difference), 0.8, 1e-9);
  EXPECT_EQ(*minimum_detectable_difference(0, 9), 0);
  EXPECT_GT(*minimum_detectable_difference(1, 1), 12);
}

TEST(Planning, FewestPersonasAreEnoughAndOneLessIsNot) {
  const Spread spread{.between_variance = 0.26, .within_variance = 0.74, .rows_per_cluster = 50};
  const std::size_t needed = clusters_for_difference(spread, 0.2).value();
  const double effect = 0.2 / std::sqrt(0.26 + 0.74 / 50);
  EXPECT_GE(*paired_t_power(needed, effect), 0.8);
  EXPECT_LT(*paired_t_power(needed - 1, effect), 0.8);
  // Normal quantiles would say 101.
  EXPECT_EQ(*clusters_for_half_width(spread, 0.1), 108u);
}

TEST(Planning, NeverPlansForFewerThanFive) {
  EXPECT_EQ(*clusters_for_half_width({}, 0.1), 5u);
  EXPECT_EQ(*clusters_for_difference({}, 0.1), 5u);
}

TEST(Planning, RefusesImpossiblePlans) {
  const Spread spread{.between_variance = 1};
  EXPECT_FALSE(clusters_for_half_width(spread, 0));
  EXPECT_FALSE(clusters_for_half_width(spread, 1e-9));
  EXPECT_FALSE(clusters_for_half_width({.between_variance = -1}, 1));
  EXPECT_FALSE(clusters_for_half_width({.within_variance = 1, .rows_per_cluster = 0}, 1));
  EXPECT_FALSE(clusters_for_difference(spread, 0));
  EXPECT_FALSE(clusters_for_difference(spread, 1, {.power = 1}));
  EXPECT_FALSE(clusters_for_difference(spread, 1, {.power = 0.01}));
  EXPECT_FALSE(minimum_detectable_difference(1, 0));
  EXPECT_FALSE(minimum_detectable_difference(-1, 5));
  EXPECT_FALSE(paired_t_power(1, 1));
}

}  // namespace
}  // namespace personascope::stats
