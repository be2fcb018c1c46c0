#include "stats/sign_flip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include "base/random.hpp"
#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

std::vector<std::size_t> count_up(std::size_t n) {
  std::vector<std::size_t> clusters(n);
  for (std::size_t i = 0; i < n; ++i) clusters[i] = i;
  return clusters;
}

std::vector<double> noise(std::size_t n, std::uint64_t seed, double shift) {
  Random random(seed);
  std::vector<double> values(n);
  for (double& value : values) value = random.unit() - 0.5 + shift;
  return values;
}

TEST(SignFlip, CountsEveryPatternOfFewClusters) {
  // Of the 32 patterns only all-plus and all-minus reach the sum 15; sums of 13 need the 1 flipped.
  const std::vector<double> all_up{1, 2, 3, 4, 5};
  EXPECT_NEAR(sign_flip_test(all_up, count_up(5))->p_value, 2.0 / 32, kClosedForm);
  const std::vector<double> one_down{-1, 2, 3, 4, 5};
  EXPECT_NEAR(sign_flip_test(one_down, count_up(5))->p_value, 4.0 / 32, kClosedForm);
}

TEST(SignFlip, FlipsWholeClusters) {
  const std::vector<double> differences{0.5, 0.5, 1, 1, 3, 2, 2, 5};
  const std::vector<std::size_t> clusters{0, 0, 1, 1, 2, 3, 3, 4};
  EXPECT_NEAR(sign_flip_test(differences, clusters)->p_value, 2.0 / 32, kClosedForm);
}

TEST(SignFlip, NoDifferenceAndOneClusterAreNoEvidence) {
  EXPECT_EQ(sign_flip_test(std::vector(8, 0.0), count_up(8))->p_value, 1);
  EXPECT_EQ(sign_flip_test(std::vector{1.0, 2.0}, std::vector<std::size_t>{4, 4})->p_value, 1);
}

TEST(SignFlip, ManyClustersAreSampledEquallyOnAnyNumberOfThreads) {
  const auto differences = noise(60, 5, 0.08);
  const auto p = [&](unsigned threads) {
    return sign_flip_test(differences, count_up(60), {.seed = 2, .threads = threads})->p_value;
  };
  EXPECT_EQ(p(1), p(3));
  EXPECT_GT(p(1), 0);
  EXPECT_EQ(sign_flip_test(noise(60, 5, 3), count_up(60))->p_value, 1e-4);
}

TEST(SignFlip, RefusesWhatIsNoComparison) {
  EXPECT_FALSE(sign_flip_test({}, {}));
  EXPECT_FALSE(sign_flip_test(std::vector{1.0}, {}));
  EXPECT_FALSE(max_t_test({}));
  EXPECT_FALSE(sign_flip_test(noise(30, 1, 0), count_up(30), {.replicates = 0}));
}

TEST(MaxT, AdjustedIsNeverBelowTheSingleAndEqualForCopies) {
  const auto clusters = count_up(14);
  const auto first = noise(14, 1, 0.2);
  const auto second = noise(14, 2, 0.1);
  const std::vector<Comparison> copies{{first, clusters}, {first, clusters}};
  const auto same = max_t_test(copies).value();
  EXPECT_EQ(same[0].p_value, same[0].adjusted_p_value);
  const std::vector<Comparison> both{{first, clusters}, {second, clusters}};
  const auto results = max_t_test(both).value();
  for (const MaxTResult& result : results) EXPECT_GE(result.adjusted_p_value, result.p_value);
  EXPECT_EQ(results[0].p_value, sign_flip_test(first, clusters)->p_value);
}

TEST(MaxT, StepDownLiesBetweenTheSingleAndTheSingleStep) {
  const auto clusters = count_up(11);
  const auto large = noise(11, 1, 3);
  const auto medium = noise(11, 2, 0.3);
  const auto none = noise(11, 3, 0);
  const std::vector<Comparison> all{{medium, clusters}, {large, clusters}, {none, clusters}};
  const auto results = max_t_test(all).value();
  for (const MaxTResult& result : results) {
    EXPECT_GE(result.step_down_p_value, result.p_value);
    EXPECT_LE(result.step_down_p_value, result.adjusted_p_value);
  }
  // The largest is tested among all, the others only among what is left.
  EXPECT_EQ(results[1].step_down_p_value, results[1].adjusted_p_value);
  EXPECT_LT(results[0].step_down_p_value, results[0].adjusted_p_value);
  EXPECT_GE(results[2].step_down_p_value, results[0].step_down_p_value);
}

TEST(MaxT, HoldsTheErrorOverAllComparisons) {
  const auto clusters = count_up(30);
  int false_findings = 0;
  for (std::uint64_t table = 0; table < 200; ++table) {
    std::vector<std::vector<double>> columns;
    for (std::uint64_t c = 0; c < 8; ++c) columns.push_back(noise(30, table * 8 + c, 0));
    std::vector<Comparison> comparisons;
    for (const auto& column : columns) comparisons.push_back({column, clusters});
    const auto results = max_t_test(comparisons, {.replicates = 399, .seed = table}).value();
    false_findings += std::ranges::any_of(
        results, [](const MaxTResult& result) { return result.step_down_p_value <= 0.05; });
  }
  EXPECT_LE(false_findings, 20);  // 10 expected; uncorrected, about 67
}

TEST(SignFlip, SeveralComparisonsShareALevelBelowAlpha) {
  std::vector<std::vector<double>> differences(4);
  std::vector<std::size_t> clusters;
  for (std::size_t g = 0; g < 12; ++g) clusters.push_back(g);
  for (std::size_t c = 0; c < differences.size(); ++c)
    for (std::size_t g = 0; g < 12; ++g)
      differences[c].push_back(std::sin(static_cast<double>(7 * c + 3 * g + c * g)));
  std::vector<Comparison> comparisons;
  for (const auto& one : differences) comparisons.push_back({one, clusters});
  const SharedLevel shared = shared_level(comparisons, 0.05).value();
  EXPECT_LT(shared.level, 0.02);
  EXPECT_GE(shared.level, 0.05 / 4);
  // What is claimed is what has a statistic of at least the critical one.
  const auto results = max_t_test(comparisons).value();
  for (const MaxTResult& result : results)
    EXPECT_EQ(result.adjusted_p_value <= 0.05, std::abs(result.statistic) >= *shared.critical);
  EXPECT_NEAR(shared_level(std::span(comparisons).first(1), 0.05)->level, 0.05, 0.001);
  // The same comparison four times needs no correction.
  const std::vector<Comparison> same(4, comparisons.front());
  EXPECT_NEAR(shared_level(same, 0.05)->level, 0.05, 0.001);
  EXPECT_FALSE(shared_level(std::vector<Comparison>(2), 0.05));
}

TEST(SignFlip, FewClustersMayLeaveNothingToClaim) {
  const std::vector<std::size_t> clusters{0, 1, 2, 3, 4, 5};
  const std::vector<double> first{1, 1, 1, 1, 1, 1};
  const std::vector<double> second{1, 1, 1, -1, -1, -1};
  // 5 clusters cannot reach .05 at all.
  const std::vector<Comparison> few(2, {std::span(first).first(5), std::span(clusters).first(5)});
  EXPECT_FALSE(shared_level(few, 0.05)->critical);
  EXPECT_DOUBLE_EQ(shared_level(few, 0.05)->level, 0.025);
  // 6 can, by one of 32 patterns. Here two patterns give the largest statistic: one in each.
  const std::vector<Comparison> tied{{first, clusters}, {second, clusters}};
  EXPECT_FALSE(shared_level(tied, 0.05)->critical);
  EXPECT_EQ(max_t_test(tied)->front().adjusted_p_value, 2.0 / 32);
  const std::vector<Comparison> one{{first, clusters}, {first, clusters}};
  EXPECT_NEAR(*shared_level(one, 0.05)->critical, std::sqrt(6.0), 1e-9);
}

TEST(SignFlip, AnUnseenPersonaSpeaksAgainstARunAtTheCeiling) {
  const std::vector<std::size_t> personas{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<double> perfect(10, 5.0);
  const std::vector<double> even{4.6, 4.7, 4.5, 4.6, 4.4, 4.6, 4.7, 4.5, 4.6, 4.6};
  const Scale scale{1, 5};
  const auto against = unseen_difference(even, perfect, personas, scale);
  ASSERT_TRUE(against);
  EXPECT_LT(*against, 0);
  EXPECT_GT(*against, -4);
  EXPECT_NEAR(*unseen_difference(perfect, even, personas, scale), -*against, 1e-12);
  // In the middle of the scale, without a scale and without a difference there is none.
  const std::vector<double> middle{2, 3, 2, 3, 2, 3, 2, 3, 2, 3};
  const std::vector<double> other{3, 3, 3, 3, 2, 3, 2, 3, 2, 3};
  EXPECT_FALSE(unseen_difference(middle, other, personas, scale));
  EXPECT_FALSE(unseen_difference(even, perfect, personas, {}));
  EXPECT_FALSE(unseen_difference(even, even, personas, scale));
}

}  // namespace
}  // namespace personascope::stats
