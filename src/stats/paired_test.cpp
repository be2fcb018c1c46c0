#include "stats/paired.hpp"

#include <gtest/gtest.h>

#include "stats/clustered.hpp"
#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

const std::vector<double> kFirstScores{3, 4, 4, 5, 2, 3, 4, 4, 5, 1, 2, 3};
const std::vector<double> kSecondScores{4, 4, 5, 5, 3, 3, 5, 4, 5, 3, 2, 4};
const std::vector<std::size_t> kPersonas{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};

TEST(Paired, DifferenceIsTheClusteredMeanOfDifferences) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < kFirstScores.size(); ++i)
    differences.push_back(kSecondScores[i] - kFirstScores[i]);
  const Estimate expected = clustered_mean(differences, kPersonas).value();
  const PairedComparison comparison =
      compare_paired(kFirstScores, kSecondScores, kPersonas).value();
  EXPECT_EQ(comparison.difference.value, expected.value);
  EXPECT_EQ(comparison.difference.standard_error, expected.standard_error);
  EXPECT_LT(*comparison.p_value, 0.05);
  EXPECT_GT(*comparison.minimum_detectable, *expected.standard_error * 2.8);
}

TEST(Paired, IntervalOfADifferenceStaysWithinTheScalesWidth) {
  std::vector<double> low(10, 1.0);
  std::vector<double> high(10, 5.0);
  high[0] = 1;
  std::vector<std::size_t> clusters{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto comparison = compare_paired(low, high, clusters, {.scale = {1, 5}}).value();
  EXPECT_EQ(comparison.difference.interval->high, 4);
}

TEST(Paired, EqualRunsHaveNoTestAndSaySo) {
  const PairedComparison comparison = compare_paired(kFirstScores, kFirstScores, kPersonas).value();
  EXPECT_EQ(comparison.difference.value, 0);
  EXPECT_FALSE(comparison.p_value || comparison.minimum_detectable);
  EXPECT_TRUE(comparison.difference.has(Caveat::NoVariation));
}

TEST(Paired, RefusesRunsOfDifferentLength) {
  EXPECT_FALSE(compare_paired(kFirstScores, std::vector{1.0}, kPersonas));
  EXPECT_FALSE(compare_paired({}, {}, {}));
  EXPECT_FALSE(compare_paired(kFirstScores, kSecondScores, kPersonas, {.scale = {1, 4}}));
}

}  // namespace
}  // namespace personascope::stats
