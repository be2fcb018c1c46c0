#include "stats/score_mean.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/clustered.hpp"
#include "stats/distribution.hpp"
#include "stats/grouping.hpp"
#include "stats/proportion.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// All chosen by simulation: see perf_coverage.
constexpr double kPullOfFarEnd = 3.5;
constexpr double kLeastLost = 0.25;
constexpr double kFewClusters = 20;
constexpr double kNearTailLess = 0.3;
constexpr double kFarTailMore = 2;
constexpr double kNearInWidths = 0.2;
constexpr double kNearInDeviations = 4;

// How far a cluster's rows lie from the near end in sum, and how many they are; in widths of the
// scale and in clusters of average size.
struct ClusterGap {
  double total = 0;
  double size = 1;
};

std::vector<ClusterGap> gaps_of(std::span<const double> values, const Grouping& grouping,
                                double end, double width) {
  std::vector<double> distances(values.size());
  std::ranges::transform(values, distances.begin(),
                         [&](double value) { return std::abs(value - end) / width; });
  const ClusterTotals totals = total_by_cluster(distances, grouping);
  const double average = real(values.size()) / real(grouping.count);
  std::vector<ClusterGap> gaps;
  for (std::size_t g = 0; g < grouping.count; ++g) {
    gaps.push_back({.total = totals.sums[g] / average, .size = real(totals.sizes[g]) / average});
  }
  return gaps;
}

// The gap of the unseen cluster: between the worst that was seen and the whole scale, the nearer to
// the worst the more clusters the gap was spread over. The worst is never less than one row that
// lost a part of the scale, so that scores hardly off the end count as if they were on it.
double gap_of_unseen(std::span<const ClusterGap> gaps, double row) {
  double sum = 0;
  double squares = 0;
  double worst = 0;
  for (const ClusterGap& gap : gaps) {
    sum += gap.total;
    squares += gap.total * gap.total;
    worst = std::max(worst, gap.total);
  }
  const double least = kLeastLost * row;
  const double spread = std::max(1.0, sum * sum / (squares + least * least));
  return std::pow(std::clamp(worst, least, 1.0), spread / (spread + kPullOfFarEnd));
}

// Of the mean gap: the quantiles of the beta distribution with the mean of the clusters and the
// unseen one, and with the variance that CR1 gives that mean. The unseen one is a pessimist's
// guess, and counts much among few: there less than `tail` is cut off towards the near end, and
// more towards the far one.
Interval gap_interval(std::span<const ClusterGap> gaps, double row, double tail) {
  const double unseen = gap_of_unseen(gaps, row);
  const double count = real(gaps.size()) + 1;
  Sum total;
  total.add(unseen);
  for (const ClusterGap& gap : gaps) total.add(gap.total);
  const double mean = total.value() / count;
  Sum squares;
  squares.add((unseen - mean) * (unseen - mean));
  for (const ClusterGap& gap : gaps) {
    const double residual = gap.total - mean * gap.size;
    squares.add(residual * residual);
  }
  const double variance = squares.value() / (count * (count - 1));
  const double strength = std::max(1.0, mean * (1 - mean) / variance - 1);
  const double a = mean * strength;
  const double b = (1 - mean) * strength;
  const double tilt = kFewClusters / (kFewClusters + real(gaps.size()));
  return {beta_quantile((1 - kNearTailLess * tilt) * tail, a, b),
          beta_quantile(std::max(0.5, 1 - (1 + kFarTailMore * tilt) * tail), a, b)};
}

// Standard deviation of the clusters' means.
double deviation_of(std::span<const ClusterGap> gaps) {
  std::vector<double> means;
  for (const ClusterGap& gap : gaps) means.push_back(gap.total / gap.size);
  return std::sqrt(squared_deviations(means) / (real(means.size()) - 1));
}

// 1 near the end, 0 away from it, and in between for half as far again, so that nothing jumps.
// Clusters that all agree say nothing of their deviation.
double nearness(double gap, double deviation) {
  const double reach =
      deviation > 0 ? std::min(kNearInWidths, kNearInDeviations * deviation) : kNearInWidths;
  if (gap <= reach) return 1;
  return std::max(0.0, 3 - 2 * gap / reach);
}

bool are_passes_and_fails(std::span<const double> values, const Scale& scale) {
  return std::ranges::all_of(
      values, [&](double value) { return value == scale.low || value == scale.high; });
}

Result<Estimate> with_wilson(Estimate estimate, std::span<const double> values,
                             const IntervalOptions& options) {
  const Scale& scale = options.scale;
  const auto successes = static_cast<std::size_t>(std::ranges::count(values, scale.high));
  ASSIGN_OR_RETURN(const Estimate share,
                   rate(successes, values.size(), RateMethod::Wilson, options.confidence));
  const double width = scale.high - scale.low;
  estimate.interval =
      Interval{scale.low + width * share.interval->low, scale.low + width * share.interval->high};
  estimate.standard_error = width * *share.standard_error;
  estimate.df.reset();
  estimate.caveats.clear();
  estimate.method = "Wilson";
  return estimate;
}

}  // namespace

Result<Estimate> score_mean(std::span<const double> values, std::span<const std::size_t> clusters,
                            const IntervalOptions& options) {
  ASSIGN_OR_RETURN(Estimate estimate, clustered_mean(values, clusters, options));
  const Scale& scale = options.scale;
  if (!std::isfinite(scale.high - scale.low) || scale.low == scale.high) return estimate;
  if (estimate.clusters == values.size() && scale.low == 0 && scale.high == 1 &&
      are_passes_and_fails(values, scale)) {
    return with_wilson(std::move(estimate), values, options);
  }
  if (!estimate.interval) return estimate;

  const double width = scale.high - scale.low;
  const bool is_high = scale.high - estimate.value < estimate.value - scale.low;
  const double end = is_high ? scale.high : scale.low;
  const Grouping grouping = make_grouping(clusters);
  const std::vector<ClusterGap> gaps = gaps_of(values, grouping, end, width);
  const double gap = std::abs(estimate.value - end) / width;
  const double share = nearness(gap, deviation_of(gaps));
  if (share == 0) return estimate;
  const double row = real(grouping.count) / real(values.size());
  const Interval gaps_mean = gap_interval(gaps, row, (1 - options.confidence) / 2);
  const double least = width * std::min(gaps_mean.low, gap);
  const double most = width * std::max(gaps_mean.high, gap);
  const Interval ours =
      is_high ? Interval{end - most, end - least} : Interval{end + least, end + most};
  estimate.interval = Interval{std::lerp(estimate.interval->low, ours.low, share),
                               std::lerp(estimate.interval->high, ours.high, share)};
  estimate.df.reset();
  estimate.method = estimate.clusters == estimate.n ? "independent rows, beta with an unseen one"
                                                    : "clustered, beta with an unseen persona";
  std::erase(estimate.caveats, Caveat::NearScaleEnd);
  std::erase(estimate.caveats, Caveat::NoVariation);
  return estimate;
}

}  // namespace personascope::stats
