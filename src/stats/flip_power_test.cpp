#include "stats/flip_power.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace personascope::stats {
namespace {

TEST(FlipPower, ManyClustersNeedWhatTNeeds) {
  const std::vector<std::size_t> sizes(40, 5);
  EXPECT_DOUBLE_EQ(*detectable_by_sign_flip({sizes, 0.1, 39}),
                   *minimum_detectable_difference(0.1, 39));
}

TEST(FlipPower, SixClustersMustAllPointTheSameWay) {
  // p <= .05 of 6 clusters needs equal signs: normal_cdf(d / deviation) ^ 6 = .8 at d = 1.78
  // deviations, and the error of the mean is a deviation / sqrt(6).
  const std::vector<std::size_t> sizes(6, 10);
  const double deviation = std::sqrt(6.0) * 0.1;
  EXPECT_NEAR(*detectable_by_sign_flip({sizes, 0.1, 5}), 1.78 * deviation, 0.12 * deviation);
}

TEST(FlipPower, AStricterLevelNeedsMore) {
  const std::vector<std::size_t> sizes(10, 10);
  const double alone = *detectable_by_sign_flip({sizes, 0.1, 9});
  const double of_many = *detectable_by_sign_flip({sizes, 0.1, 9}, {.alpha = 0.008});
  EXPECT_GT(of_many, 1.1 * alone);
}

TEST(FlipPower, OneOfSeveralMustReachTheCriticalStatistic) {
  // 40 clusters: as the t test at the level. Few: more, where the statistic must be near its
  // largest value, sqrt(6), which is that of equal differences.
  const std::vector<std::size_t> many(40, 5);
  EXPECT_DOUBLE_EQ(*detectable_among_several({many, 0.1, 39}, {.level = 0.01, .critical = 2.5}),
                   *minimum_detectable_difference(0.1, 39, {.alpha = 0.01}));
  const std::vector<std::size_t> six(6, 5);
  const double needed =
      *detectable_among_several({six, 0.1, 5}, {.level = 0.00625, .critical = 2.35});
  EXPECT_GT(needed, 1.2 * *minimum_detectable_difference(0.1, 5, {.alpha = 0.00625}));
  EXPECT_FALSE(detectable_among_several({six, 0.1, 5}, {.level = 0.00625, .critical = 2.45}));
  EXPECT_FALSE(detectable_among_several({six, 0.1, 5}, {.level = 0.00625}));
}

TEST(FlipPower, AnUnseenClusterMustBeOvercome) {
  // A cluster's rows sum up to 5 times its mean; the unseen one is a point below in each.
  for (const std::size_t clusters : {8u, 40u}) {
    const std::vector<std::size_t> sizes(clusters, 5);
    const double df = static_cast<double>(clusters) - 1;
    const double seen = *detectable_by_sign_flip({sizes, 0.05, df});
    EXPECT_GT(*detectable_by_sign_flip({sizes, 0.05, df, -5}), 1.2 * seen);
    EXPECT_NEAR(*detectable_by_sign_flip({sizes, 0.05, df, -1e-9}), seen, 0.1 * seen);
  }
  const std::vector<std::size_t> many(301, 5);
  EXPECT_DOUBLE_EQ(*detectable_by_sign_flip({many, 0.05, 300, -5}),
                   *minimum_detectable_difference(0.05, 300));
}

TEST(FlipPower, TooFewClustersFindNothing) {
  const std::vector<std::size_t> sizes(5, 10);
  const std::vector<std::size_t> eight(8, 1);
  EXPECT_FALSE(detectable_by_sign_flip({sizes, 0.1, 4}));
  EXPECT_FALSE(detectable_by_sign_flip({eight, 0.1, 7}, {.alpha = 0}));
  EXPECT_FALSE(detectable_by_sign_flip({eight, -1, 7}));
}

}  // namespace
}  // namespace personascope::stats
