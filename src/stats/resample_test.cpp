#include "stats/resample.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "stats/clustered.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

struct Data {
  std::vector<double> values;
  std::vector<std::size_t> clusters;

  Statistic mean() const {
    return [this](std::span<const std::size_t> rows) -> Result<double> {
      Sum sum;
      for (const std::size_t row : rows) sum.add(values[row]);
      return sum.value() / real(rows.size());
    };
  }
};

Data make_data(std::size_t clusters) {
  Data data;
  Random random(1, "resample test");
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    const double level = random.unit();
    for (int i = 0; i < 3; ++i) {
      data.values.push_back(level + random.unit());
      data.clusters.push_back(cluster);
    }
  }
  return data;
}

TEST(Resample, GivesTheErrorOfTheClusteredMeanBothWays) {
  for (const std::size_t clusters : {100u, 5000u}) {
    const Data data = make_data(clusters);
    const Estimate exact = clustered_mean(data.values, data.clusters).value();
    const Estimate estimate = resample(data.clusters, data.mean()).value();
    EXPECT_NEAR(estimate.value, exact.value, 1e-12);
    EXPECT_NEAR(*estimate.standard_error / *exact.standard_error, 1, 0.25);
    EXPECT_LT(estimate.interval->low, estimate.value);
    EXPECT_EQ(estimate.clusters, clusters);
    EXPECT_EQ(estimate.n, 3 * clusters);
    EXPECT_EQ(estimate.method, clusters > 2000 ? "50 blocks, t(49)" : "cluster bootstrap, BCa");
  }
}

TEST(Resample, LeavesGroupsOutWhereClustersAreFewAndRowsMany) {
  for (const std::size_t clusters : {7u, 200u}) {
    const Data small = make_data(clusters);
    Data data;
    for (std::size_t i = 0; i < 60'000; ++i) {
      data.values.push_back(small.values[i % small.values.size()]);
      data.clusters.push_back(small.clusters[i % small.values.size()]);
    }
    const Estimate exact = clustered_mean(data.values, data.clusters).value();
    const Estimate estimate = resample(data.clusters, data.mean()).value();
    EXPECT_NEAR(estimate.value, exact.value, 1e-12);
    EXPECT_NEAR(*estimate.standard_error / *exact.standard_error, 1, 0.4);
    EXPECT_EQ(estimate.clusters, clusters);
    EXPECT_EQ(estimate.method, clusters == 7 ? "jackknife of 7 groups of clusters, t(6)"
                                             : "jackknife of 20 groups of clusters, t(19)");
  }
  const std::vector<std::size_t> one(60'000, 3);
  const Data data = make_data(20'000);
  EXPECT_TRUE(resample(one, data.mean())->has(Caveat::NoError));
}

TEST(Resample, NamesClustersOnlyWhereThereAreSome) {
  Data data = make_data(100);
  for (std::size_t row = 0; row < data.clusters.size(); ++row) data.clusters[row] = row;
  EXPECT_EQ(resample(data.clusters, data.mean())->method, "bootstrap, BCa");
  data = make_data(500);
  for (std::size_t row = 0; row < data.clusters.size(); ++row) data.clusters[row] = row;
  EXPECT_EQ(resample(data.clusters, data.mean())->method, "jackknife of 20 groups of rows, t(19)");
}

TEST(Resample, IsTheSameOnAnyNumberOfThreads) {
  const Data data = make_data(300);
  const auto low = [&](unsigned threads) {
    return resample(data.clusters, data.mean(), {.threads = threads})->interval->low;
  };
  EXPECT_EQ(low(1), low(4));
}

TEST(Resample, PassesOnWhyAStatisticIsUndefined) {
  const Statistic never = [](std::span<const std::size_t>) -> Result<double> {
    return fail(ErrorKind::Invalid, "never defined");
  };
  for (const std::size_t clusters : {10u, 3000u}) {
    EXPECT_EQ(resample(make_data(clusters).clusters, never).error().message, "never defined");
  }
  EXPECT_FALSE(resample({}, never));
}

}  // namespace
}  // namespace personascope::stats
