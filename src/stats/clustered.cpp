#include "stats/clustered.hpp"

#include <algorithm>
#include <string_view>

#include "stats/check.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// What CR1 comes to if each row is a cluster.
constexpr std::string_view kIndependentRows = "independent rows, t(n-1)";

std::string_view method_of(Correction correction) {
  switch (correction) {
    case Correction::Cr0:
      return "clustered, CR0, t(G-1)";
    case Correction::Cr1:
      return "clustered, CR1, t(G-1)";
    case Correction::Cr2:
      return "clustered, CR2, t(G-1)";
    case Correction::Jackknife:
      return "clustered, jackknife, t(G-1)";
  }
  return "";
}

// The variance of the mean around `mean`; meaningless for one cluster, where it is 0.
double cluster_variance(std::span<const double> values, double mean, const Grouping& grouping,
                        Correction correction) {
  if (grouping.count < 2) return 0;
  const double n = real(values.size());
  const double count = real(grouping.count);
  // Residuals before sums: subtracting n * mean from a large sum would cancel.
  std::vector<double> residuals(values.begin(), values.end());
  for (double& residual : residuals) residual -= mean;
  const ClusterTotals totals = total_by_cluster(residuals, grouping);

  Sum squares;
  for (std::size_t g = 0; g < grouping.count; ++g) {
    const double others = 1 - real(totals.sizes[g]) / n;
    double residual = totals.sums[g];
    if (correction == Correction::Cr2) residual /= std::sqrt(others);
    if (correction == Correction::Jackknife) residual /= others;
    squares.add(residual * residual);
  }
  double factor = 1;
  if (correction == Correction::Cr1) factor = count / (count - 1);
  if (correction == Correction::Jackknife) factor = (count - 1) / count;
  return factor * squares.value() / (n * n);
}

Estimate make_mean(std::span<const double> values, std::size_t clusters, std::string_view method) {
  Estimate estimate;
  estimate.value = mean_of(values);
  estimate.n = values.size();
  estimate.clusters = clusters;
  estimate.method = method;
  return estimate;
}

}  // namespace

Result<Estimate> clustered_mean(std::span<const double> values,
                                std::span<const std::size_t> clusters,
                                const IntervalOptions& options, Correction correction) {
  RETURN_IF_ERROR(check_on_scale(values, options.scale, "scores"));
  RETURN_IF_ERROR(check_same_size(values.size(), clusters.size(), "scores and cluster keys"));
  const Grouping grouping = make_grouping(clusters);
  const bool alone = grouping.count == values.size() && correction == Correction::Cr1;
  Estimate estimate =
      make_mean(values, grouping.count, alone ? kIndependentRows : method_of(correction));
  const double variance = cluster_variance(values, estimate.value, grouping, correction);
  return with_t_interval(std::move(estimate), variance, real(grouping.count) - 1, options);
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
  Estimate estimate = make_mean(values, smaller, "two-way clustered, CR1, t(min G - 1)");

  const auto variance_by = [&](const Grouping& grouping) {
    return cluster_variance(values, estimate.value, grouping, Correction::Cr1);
  };
  const double one_way = std::max(variance_by(first), variance_by(second));
  double variance =
      variance_by(first) + variance_by(second) - variance_by(make_intersection(first, second));
  if (variance < 0) {
    variance = one_way;
    estimate.caveats.push_back(Caveat::NegativeVariance);
    estimate.method += ", negative: the larger one-way variance";
  }
  return with_t_interval(std::move(estimate), variance, real(smaller) - 1, options);
}

Result<Estimate> naive_mean(std::span<const double> values, const IntervalOptions& options) {
  RETURN_IF_ERROR(check_on_scale(values, options.scale, "scores"));
  const double n = real(values.size());
  Estimate estimate = make_mean(values, values.size(), kIndependentRows);
  const double variance = n < 2 ? 0 : squared_deviations(values) / (n - 1) / n;
  return with_t_interval(std::move(estimate), variance, n - 1, options);
}

}  // namespace personascope::stats
