#include "stats/clustered.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "stats/check.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// What CR1 comes to if each row is a cluster.
constexpr std::string_view kIndependentRows = "independent rows, t(n-1)";

constexpr double kDominantShare = 0.25;
constexpr double kDominantTimes = 2;  // its equal share

std::string_view method_of(Correction correction) {
  switch (correction) {
    case Correction::Cr0:
      return "clustered, CR0, t(G-1)";
    case Correction::Cr1:
      return "clustered, CR1, t(G-1)";
    case Correction::Cr2:
      return "clustered, CR2, t";
    case Correction::Jackknife:
      return "clustered, jackknife, t(G-1)";
  }
  return "";
}

// Each cluster's share of the weight, and how far it pulls the mean away from itself.
struct Pulls {
  double mean = 0;
  std::vector<double> shares;
  std::vector<double> pulls;
  bool has_equal_shares = true;
};

Pulls pulls_of(std::span<const double> values, const Grouping& grouping, Weight weight) {
  const double n = real(values.size());
  const double count = real(grouping.count);
  Pulls result;
  result.mean = mean_of(values);
  if (weight == Weight::Cluster) {
    const ClusterTotals totals = total_by_cluster(values, grouping);
    Sum means;
    for (std::size_t g = 0; g < grouping.count; ++g)
      means.add(totals.sums[g] / real(totals.sizes[g]));
    result.mean = means.value() / count;
  }
  // Residuals before sums: subtracting n * mean from a large sum would cancel.
  std::vector<double> residuals(values.begin(), values.end());
  for (double& residual : residuals) residual -= result.mean;
  const ClusterTotals totals = total_by_cluster(residuals, grouping);
  for (std::size_t g = 0; g < grouping.count; ++g) {
    const double size = real(totals.sizes[g]);
    const double share = weight == Weight::Cluster ? 1 / count : size / n;
    result.shares.push_back(share);
    result.pulls.push_back(weight == Weight::Cluster ? totals.sums[g] / size / count
                                                     : totals.sums[g] / n);
    result.has_equal_shares &= totals.sizes[g] == totals.sizes[0] || weight == Weight::Cluster;
  }
  return result;
}

// The variance of the mean; meaningless for one cluster, where it is 0.
double variance_of(const Pulls& pulls, Correction correction) {
  if (pulls.shares.size() < 2) return 0;
  const double count = real(pulls.shares.size());
  Sum squares;
  for (std::size_t g = 0; g < pulls.shares.size(); ++g) {
    const double others = 1 - pulls.shares[g];
    double pull = pulls.pulls[g];
    if (correction == Correction::Cr2) pull /= std::sqrt(others);
    if (correction == Correction::Jackknife) pull /= others;
    squares.add(pull * pull);
  }
  double factor = 1;
  if (correction == Correction::Cr1) factor = count / (count - 1);
  if (correction == Correction::Jackknife) factor = (count - 1) / count;
  return factor * squares.value();
}

double df_of(const Pulls& pulls, Correction correction) {
  const double usual = real(pulls.shares.size()) - 1;
  if (correction != Correction::Cr2 || pulls.has_equal_shares) return usual;
  return bell_mccaffrey_df(pulls.shares);
}

// How much the clusters' sizes matter.
void add_sizes(Estimate& estimate, const Pulls& pulls) {
  estimate.largest_share = std::ranges::max(pulls.shares);
  if (pulls.has_equal_shares) return;
  Sum squares;
  for (const double share : pulls.shares) squares.add(share * share);
  estimate.effective_clusters = 1 / squares.value();
  if (pulls.shares.size() > 1 && estimate.largest_share >= kDominantShare &&
      estimate.largest_share * real(pulls.shares.size()) >= kDominantTimes)
    estimate.caveats.push_back(Caveat::DominantCluster);
}

Estimate make_mean(double mean, std::size_t n, std::size_t clusters, std::string_view method) {
  Estimate estimate;
  estimate.value = mean;
  estimate.n = n;
  estimate.clusters = clusters;
  estimate.method = method;
  return estimate;
}

}  // namespace

double bell_mccaffrey_df(std::span<const double> shares) {
  // (trace of the quadratic form)^2 / (trace of its square); the trace itself is 1.
  Sum own;
  Sum common;
  for (const double share : shares) {
    const double others = 1 - share;
    own.add(share * share * (1 - 2 * share) / (others * others));
    common.add(share * share / others);
  }
  return 1 / (own.value() + common.value() * common.value());
}

Result<Estimate> clustered_mean(std::span<const double> values,
                                std::span<const std::size_t> clusters,
                                const IntervalOptions& options, Correction correction) {
  RETURN_IF_ERROR(check_on_scale(values, options.scale, "scores"));
  RETURN_IF_ERROR(check_same_size(values.size(), clusters.size(), "scores and cluster keys"));
  const Grouping grouping = make_grouping(clusters);
  const bool alone = grouping.count == values.size() &&
                     (correction == Correction::Cr1 || correction == Correction::Cr2);
  const Pulls pulls = pulls_of(values, grouping, options.weight);
  Estimate estimate = make_mean(pulls.mean, values.size(), grouping.count,
                                alone ? kIndependentRows : method_of(correction));
  if (!alone && options.weight == Weight::Cluster) estimate.method = "mean of means, t(G-1)";
  add_sizes(estimate, pulls);
  return with_t_interval(std::move(estimate), variance_of(pulls, correction),
                         df_of(pulls, correction), options);
}

Result<Estimate> two_way_mean(std::span<const double> values,
                              std::span<const std::size_t> first_clusters,
                              std::span<const std::size_t> second_clusters,
                              const IntervalOptions& options) {
  RETURN_IF_ERROR(check_on_scale(values, options.scale, "scores"));
  RETURN_IF_ERROR(check_same_size(values.size(), first_clusters.size(), "scores and first keys"));
  RETURN_IF_ERROR(check_same_size(values.size(), second_clusters.size(), "scores and second keys"));
  const Grouping first = make_grouping(first_clusters);
  const Grouping second = make_grouping(second_clusters);
  const std::size_t smaller = std::min(first.count, second.count);
  Estimate estimate =
      make_mean(mean_of(values), values.size(), smaller, "two-way clustered, CR2, t");

  const Pulls by_first = pulls_of(values, first, Weight::Row);
  const Pulls by_second = pulls_of(values, second, Weight::Row);
  const Pulls by_both = pulls_of(values, make_intersection(first, second), Weight::Row);
  add_sizes(estimate, first.count <= second.count ? by_first : by_second);
  const double first_variance = variance_of(by_first, Correction::Cr2);
  const double second_variance = variance_of(by_second, Correction::Cr2);
  double variance = first_variance + second_variance - variance_of(by_both, Correction::Cr2);
  if (variance < 0) {
    variance = std::max(first_variance, second_variance);
    estimate.caveats.push_back(Caveat::NegativeVariance);
    estimate.method += ", negative: the larger one-way variance";
  }
  const double df =
      smaller < 2 ? 0
                  : std::min(df_of(by_first, Correction::Cr2), df_of(by_second, Correction::Cr2));
  return with_t_interval(std::move(estimate), variance, df, options);
}

Result<Estimate> naive_mean(std::span<const double> values, const IntervalOptions& options) {
  RETURN_IF_ERROR(check_on_scale(values, options.scale, "scores"));
  const double n = real(values.size());
  Estimate estimate = make_mean(mean_of(values), values.size(), values.size(), kIndependentRows);
  const double variance = n < 2 ? 0 : squared_deviations(values) / (n - 1) / n;
  return with_t_interval(std::move(estimate), variance, n - 1, options);
}

}  // namespace personascope::stats
