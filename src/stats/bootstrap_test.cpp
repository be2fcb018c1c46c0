#include "stats/bootstrap.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

double mean_of_rows(const std::vector<double>& y, std::span<const std::size_t> rows) {
  Sum sum;
  for (const std::size_t row : rows) sum.add(y[row]);
  return sum.value() / real(rows.size());
}

TEST(Bootstrap, BcaAgreesWithScipyOnFixedDraws) {
  const Json& data = golden()["bca_fixed_draws"];
  const auto y = numbers(data["y"]);
  std::vector<double> replicates;
  for (const Json& draw : data["index"]) replicates.push_back(mean_of_rows(y, keys(draw)));
  std::vector<double> left_out;
  for (const double value : y) left_out.push_back((sum_of(y) - value) / real(y.size() - 1));

  const BcaInterval bca = bca_interval(replicates, mean_of(y), left_out).value();
  EXPECT_NEAR(bca.bias, data["z0"].get<double>(), kQuantile);
  EXPECT_NEAR(bca.acceleration, data["acceleration"].get<double>(), kClosedForm);
  EXPECT_NEAR(bca.low_probability, data["alpha"][0].get<double>(), kQuantile);
  EXPECT_NEAR(bca.high_probability, data["alpha"][1].get<double>(), kQuantile);
  EXPECT_NEAR(bca.interval.low, data["ci95_linear_quantile"][0].get<double>(), kQuantile);
  EXPECT_NEAR(bca.interval.high, data["ci95_linear_quantile"][1].get<double>(), kQuantile);

  std::ranges::sort(replicates);
  EXPECT_NEAR(quantile_of_sorted(replicates, 0.025), data["percentile_ci95"][0].get<double>(),
              kQuantile);
  EXPECT_NEAR(quantile_of_sorted(replicates, 0.975), data["percentile_ci95"][1].get<double>(),
              kQuantile);
}

struct Sample {
  std::vector<double> y;
  std::vector<std::size_t> clusters;
};

Sample make_sample(std::size_t clusters) {
  Sample sample;
  for (std::size_t i = 0; i < clusters * 7; ++i) {
    sample.y.push_back(static_cast<double>(i * i % 5 + i % clusters % 3));
    sample.clusters.push_back(i % clusters);
  }
  return sample;
}

TEST(Bootstrap, ThreadsNeverChangeTheResult) {
  const Sample sample = make_sample(20);
  const auto interval = [&](unsigned threads) {
    return bootstrap_mean(sample.y, sample.clusters,
                          {.replicates = 2000, .seed = 3, .threads = threads})
        ->interval.value();
  };
  const Interval one = interval(1);
  for (const unsigned threads : {2u, 5u}) {
    EXPECT_EQ(interval(threads).low, one.low);
    EXPECT_EQ(interval(threads).high, one.high);
  }
}

TEST(Bootstrap, AnyStatisticGivesTheSameAsTheMeanOfClusters) {
  const Sample sample = make_sample(12);
  const BootstrapOptions options{.replicates = 500, .seed = 9, .threads = 2};
  const Estimate fast = bootstrap_mean(sample.y, sample.clusters, options).value();
  const Estimate general = bootstrap(
                               sample.clusters,
                               [&](std::span<const std::size_t> rows) -> Result<double> {
                                 return mean_of_rows(sample.y, rows);
                               },
                               options)
                               .value();
  EXPECT_NEAR(fast.interval->low, general.interval->low, kClosedForm);
  EXPECT_NEAR(fast.interval->high, general.interval->high, kClosedForm);
  EXPECT_NEAR(*fast.standard_error, *general.standard_error, kClosedForm);
}

TEST(Bootstrap, FewClustersFollowTheCommonRules) {
  const Sample one = make_sample(1);
  EXPECT_TRUE(bootstrap_mean(one.y, one.clusters)->has(Caveat::NoError));
  const Sample three = make_sample(3);
  EXPECT_TRUE(bootstrap_mean(three.y, three.clusters)->has(Caveat::TooFewForInterval));
}

TEST(Bootstrap, ZeroVarianceIsAPoint) {
  std::vector<std::size_t> clusters(30);
  for (std::size_t i = 0; i < 30; ++i) clusters[i] = i / 3;
  const Estimate estimate =
      bootstrap_mean(std::vector(30, 5.0), clusters, {.bounds = {.scale = {1, 5}}}).value();
  EXPECT_EQ(estimate.interval->low, 5);
  EXPECT_TRUE(estimate.has(Caveat::NoVariation));
}

TEST(Bootstrap, WithManyUndefinedReplicatesThereIsNoInterval) {
  std::vector<std::size_t> clusters(10);
  for (std::size_t i = 0; i < 10; ++i) clusters[i] = i;
  const auto defined_with = [](std::size_t needed) {
    return [needed](std::span<const std::size_t> rows) -> Result<double> {
      const auto distinct = std::ranges::count_if(rows, [](std::size_t row) { return row < 5; });
      if (static_cast<std::size_t>(distinct) < needed) return fail(ErrorKind::Invalid, "undefined");
      return static_cast<double>(distinct);
    };
  };
  EXPECT_TRUE(bootstrap(clusters, defined_with(2))->has(Caveat::UndefinedReplicates));
  const Estimate bare = bootstrap(clusters, defined_with(5)).value();
  EXPECT_TRUE(bare.has(Caveat::MostlyUndefined));
  EXPECT_FALSE(bare.interval);
  EXPECT_EQ(bare.value, 5);
  EXPECT_FALSE(bootstrap(clusters, defined_with(11)));
}

TEST(Bootstrap, RefusesWhatCannotBeDrawn) {
  EXPECT_FALSE(bootstrap_mean({}, {}));
  EXPECT_FALSE(bootstrap({}, [](std::span<const std::size_t>) -> Result<double> { return 1.0; }));
  const Sample sample = make_sample(6);
  EXPECT_FALSE(bootstrap_mean(sample.y, sample.clusters, {.replicates = 1}));
  EXPECT_FALSE(bca_interval({1, 1, 1}, 2, std::vector{1.0, 2.0}));
}

}  // namespace
}  // namespace personascope::stats
