#include "stats/clustered.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

std::vector<std::size_t> cycle(std::size_t n, std::size_t clusters) {
  std::vector<std::size_t> keys_of_rows(n);
  for (std::size_t i = 0; i < n; ++i) keys_of_rows[i] = i % clusters;
  return keys_of_rows;
}

TEST(Clustered, AgreesWithStatsmodelsForEveryCorrection) {
  const Json& data = golden()["clustered_mean"];
  const auto y = numbers(data["y"]);
  const auto cluster = keys(data["cluster"]);
  const auto error = [&](Correction correction) {
    return clustered_mean(y, cluster, {}, correction)->standard_error.value();
  };
  EXPECT_NEAR(error(Correction::Cr0), data["CR0_se"].get<double>(), kClosedForm);
  EXPECT_NEAR(error(Correction::Cr1), data["CR1_se"].get<double>(), kClosedForm);
  EXPECT_NEAR(error(Correction::Cr2), data["CR2_se"].get<double>(), kClosedForm);
  EXPECT_NEAR(error(Correction::Jackknife), data["CV3_jackknife_se"].get<double>(), kClosedForm);
  EXPECT_NEAR(naive_mean(y)->standard_error.value(), data["naive_se"].get<double>(), kClosedForm);

  const Estimate estimate = clustered_mean(y, cluster, {}, Correction::Cr1).value();
  const auto interval = numbers(data["CR1_t_ci95"]);
  // The golden interval was made with a t quantile of 2.57058183661 (scipy 1.12), which is off in
  // the tenth digit; hence the wider tolerance there, and the exact quantile beside it.
  EXPECT_NEAR(estimate.interval->low, interval[0], 1e-9);
  EXPECT_NEAR(estimate.interval->high, interval[1], 1e-9);
  const double exact_half = 2.5705818356363155 * data["CR1_se"].get<double>();
  EXPECT_NEAR(estimate.interval->low, 4.1 - exact_half, kClosedForm);
  EXPECT_NEAR(estimate.interval->high, 4.1 + exact_half, kClosedForm);
  EXPECT_EQ(estimate.n, 20u);
  EXPECT_EQ(estimate.clusters, 6u);
  EXPECT_EQ(estimate.df, 5.0);
  EXPECT_TRUE(estimate.has(Caveat::FewClusters));
}

TEST(Clustered, AgreesWithStatsmodelsForTwoWays) {
  const Json& data = golden()["two_way"];
  const auto y = numbers(data["y"]);
  const auto user = keys(data["user"]);
  const auto task = keys(data["task"]);
  EXPECT_NEAR(*clustered_mean(y, user)->standard_error, data["user_se"].get<double>(), kClosedForm);
  EXPECT_NEAR(*clustered_mean(y, task)->standard_error, data["task_se"].get<double>(), kClosedForm);
  const Estimate both = two_way_mean(y, user, task).value();
  EXPECT_NEAR(*both.standard_error, data["two_way_se"].get<double>(), kClosedForm);
  EXPECT_EQ(both.clusters, 9u);
  EXPECT_EQ(both.df, 8.0);
  EXPECT_FALSE(both.has(Caveat::NegativeVariance));
}

TEST(Clustered, NegativeTwoWayVarianceFallsBackToTheLargerOneWay) {
  const Json& data = golden()["clustered_mean"];
  ASSERT_TRUE(data["two_way_se"].is_null());
  const auto y = numbers(data["y"]);
  const auto first = keys(data["cluster"]);
  const auto second = keys(data["second_cluster"]);
  const Estimate both = two_way_mean(y, first, second).value();
  EXPECT_TRUE(both.has(Caveat::NegativeVariance));
  EXPECT_DOUBLE_EQ(*both.standard_error, std::max(*clustered_mean(y, first)->standard_error,
                                                  *clustered_mean(y, second)->standard_error));
  EXPECT_NE(both.method.find("one-way"), std::string::npos);
}

TEST(Clustered, FewClustersLoseFirstTheIntervalThenTheError) {
  const std::vector<double> y{1, 2, 3, 4, 5, 4, 3, 2, 1, 2, 3, 5};
  const Estimate one = clustered_mean(y, cycle(y.size(), 1)).value();
  EXPECT_TRUE(one.has(Caveat::NoError));
  EXPECT_FALSE(one.standard_error || one.interval || one.df);
  const Estimate four = clustered_mean(y, cycle(y.size(), 4)).value();
  EXPECT_TRUE(four.has(Caveat::TooFewForInterval));
  EXPECT_TRUE(four.standard_error && !four.interval);
  EXPECT_EQ(sentence_of(Caveat::TooFewForInterval), "no interval: it needs at least 5 personas");
  const Estimate ten = clustered_mean(y, cycle(y.size(), 10)).value();
  EXPECT_TRUE(ten.caveats.empty());
}

TEST(Clustered, EqualScoresHaveNoIntervalAndSayWhy) {
  const std::vector<double> y(40, 5.0);
  const Estimate estimate = clustered_mean(y, cycle(40, 20), {.scale = {1, 5}}).value();
  EXPECT_EQ(estimate.value, 5);
  EXPECT_EQ(estimate.standard_error, 0);
  EXPECT_FALSE(estimate.interval);
  EXPECT_TRUE(estimate.has(Caveat::NoVariation));
}

TEST(Clustered, IntervalStaysOnTheScale) {
  std::vector<double> y(20, 5.0);
  y[3] = 1;
  const Estimate estimate = clustered_mean(y, cycle(20, 10), {.scale = {1, 5}}).value();
  EXPECT_EQ(estimate.interval->high, 5);
}

TEST(Clustered, RefusesWhatIsNoSample) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(clustered_mean({}, {}));
  EXPECT_FALSE(clustered_mean(std::vector{1.0, nan}, cycle(2, 2)));
  EXPECT_FALSE(clustered_mean(std::vector{1.0, 2.0}, cycle(3, 2)));
  EXPECT_FALSE(clustered_mean(std::vector{1.0, 7.0}, cycle(2, 2), {.scale = {1, 5}}));
  EXPECT_FALSE(clustered_mean(std::vector(10, 1.7e308), cycle(10, 5)));
  EXPECT_FALSE(clustered_mean(std::vector{1.0, 2.0}, cycle(2, 2), {.confidence = 1}));
  EXPECT_FALSE(two_way_mean({}, {}, {}));
  EXPECT_FALSE(naive_mean({}));
  EXPECT_EQ(clustered_mean({}, {}).error().kind, ErrorKind::Invalid);
}

TEST(Clustered, AMillionRowsLoseNoDigits) {
  const std::size_t n = 1'000'000;
  const std::vector<double> y(n, 0.1);
  const Estimate estimate = clustered_mean(y, cycle(n, 1000)).value();
  EXPECT_DOUBLE_EQ(estimate.value, 0.1);
  EXPECT_EQ(estimate.clusters, 1000u);
}

// The degrees of freedom from the definition: (trace)^2 / trace of the square of the matrix of the
// quadratic form, for independent rows.
double df_by_definition(const std::vector<double>& sizes) {
  double n = 0;
  for (const double size : sizes) n += size;
  double trace = 0;
  double squares = 0;
  for (std::size_t g = 0; g < sizes.size(); ++g)
    for (std::size_t h = 0; h < sizes.size(); ++h) {
      const double entry = ((g == h ? sizes[g] : 0) - sizes[g] * sizes[h] / n) /
                           std::sqrt((1 - sizes[g] / n) * (1 - sizes[h] / n));
      if (g == h) trace += entry;
      squares += entry * entry;
    }
  return trace * trace / squares;
}

TEST(Clustered, DegreesOfFreedomAreBellAndMcCaffreys) {
  for (const std::vector<double>& sizes :
       {std::vector<double>{4, 3, 5, 2, 4, 2}, std::vector<double>{90, 10, 10, 10, 10, 10, 10, 10},
        std::vector<double>(12, 5.0)}) {
    std::vector<double> shares;
    std::vector<double> y;
    std::vector<std::size_t> clusters;
    const double n = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      shares.push_back(sizes[g] / n);
      for (double i = 0; i < sizes[g]; ++i) {
        y.push_back(static_cast<double>(g % 3) + i / 100);
        clusters.push_back(g);
      }
    }
    EXPECT_NEAR(bell_mccaffrey_df(shares), df_by_definition(sizes), 1e-10);
    EXPECT_NEAR(*clustered_mean(y, clusters)->df, df_by_definition(sizes), 1e-10);
  }
  EXPECT_NEAR(df_by_definition(std::vector<double>(12, 5.0)), 11, 1e-10);
}

TEST(Clustered, ADominantClusterIsNamedAndLeavesFewEffectiveOnes) {
  std::vector<double> y;
  std::vector<std::size_t> clusters;
  for (std::size_t i = 0; i < 200; ++i) {
    clusters.push_back(i < 100 ? 0 : 1 + (i - 100) / 10);
    y.push_back(static_cast<double>(1 + (i * 7 + clusters.back()) % 5));
  }
  const Estimate estimate = clustered_mean(y, clusters).value();
  EXPECT_TRUE(estimate.has(Caveat::DominantCluster));
  EXPECT_DOUBLE_EQ(estimate.largest_share, 0.5);
  EXPECT_NEAR(*estimate.effective_clusters, 1 / (0.25 + 10 * 0.05 * 0.05), 1e-12);
  EXPECT_LT(*estimate.df, 4);
  const Estimate even = clustered_mean(y, cycle(200, 10)).value();
  EXPECT_FALSE(even.has(Caveat::DominantCluster));
  EXPECT_FALSE(even.effective_clusters);
  EXPECT_EQ(even.df, 9.0);
}

TEST(Clustered, WeighsPersonasAlikeIfAsked) {
  const std::vector<double> y{5, 5, 5, 5, 1, 3, 2, 4, 3};
  const std::vector<std::size_t> clusters{0, 0, 0, 0, 1, 2, 3, 4, 4};
  const Estimate estimate = clustered_mean(y, clusters, {.weight = Weight::Cluster}).value();
  const std::vector<double> means{5, 1, 3, 2, 3.5};
  const Estimate of_means = naive_mean(means).value();
  EXPECT_NEAR(estimate.value, of_means.value, 1e-12);
  EXPECT_NEAR(*estimate.standard_error, *of_means.standard_error, 1e-12);
  EXPECT_NEAR(estimate.interval->low, of_means.interval->low, 1e-10);
  EXPECT_EQ(estimate.n, 9u);
  EXPECT_EQ(estimate.clusters, 5u);
  EXPECT_FALSE(estimate.has(Caveat::DominantCluster));
}

}  // namespace
}  // namespace personascope::stats
