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
constexpr double kAtEnd = 0.005;     // equal scores nearer than this count as on the end
constexpr double kFewOffTheEnd = 3;  // clusters

// How far a cluster's rows lie from the near end in sum, and how many they are; in widths of the
// scale and in clusters of average size.
struct ClusterGap {
  double total = 0;
  double size = 1;
};

std::vector<ClusterGap> gaps_of(std::span<const double> values, const Grouping& grouping,
                                double end, double width, Weight weight) {
  std::vector<double> distances(values.size());
  std::ranges::transform(values, distances.begin(),
                         [&](double value) { return std::abs(value - end) / width; });
  const ClusterTotals totals = total_by_cluster(distances, grouping);
  const double average = real(values.size()) / real(grouping.count);
  std::vector<ClusterGap> gaps;
  for (std::size_t g = 0; g < grouping.count; ++g) {
    const double rows = real(totals.sizes[g]);
    const double unit = weight == Weight::Cluster ? rows : average;
    gaps.push_back({.total = totals.sums[g] / unit, .size = rows / unit});
  }
  return gaps;
}

// Over how many clusters the gap is spread, and how large the largest is. The largest is never less
// than one row that lost a part of the scale, so that scores hardly off the end count as if they
// were on it.
struct GapSpread {
  double clusters = 1;
  double worst = 0;
};

GapSpread spread_of(std::span<const ClusterGap> gaps, double row) {
  double sum = 0;
  double squares = 0;
  double worst = 0;
  for (const ClusterGap& gap : gaps) {
    sum += gap.total;
    squares += gap.total * gap.total;
    worst = std::max(worst, gap.total);
  }
  const double least = kLeastLost * row;
  return {.clusters = std::max(1.0, sum * sum / (squares + least * least)),
          .worst = std::clamp(worst, least, 1.0)};
}

// The gap of the unseen cluster: between the worst that was seen and the whole scale, the nearer to
// the worst the more clusters the gap was spread over.
double gap_of_unseen(const GapSpread& spread, double pull) {
  return std::pow(spread.worst, spread.clusters / (spread.clusters + pull));
}

// Clusters of unequal size know less of the variance than as many equal ones: by how much t, and
// with it the error, is larger. 1 for equal ones.
double widening_of(std::span<const ClusterGap> gaps, double tail) {
  double sum = 0;
  for (const ClusterGap& gap : gaps) sum += gap.size;
  std::vector<double> shares;
  bool is_equal = true;
  for (const ClusterGap& gap : gaps) {
    shares.push_back(gap.size / sum);
    is_equal = is_equal && gap.size == gaps.front().size;
  }
  if (is_equal) return 1;
  return t_quantile(tail, bell_mccaffrey_df(shares)) / t_quantile(tail, real(gaps.size()) - 1);
}

// Of the mean gap: the quantiles of the beta distribution with the mean of the clusters and the
// unseen one, and with the variance that CR2 gives that mean. The unseen one is a pessimist's
// guess, and counts much among few: there less than `tail` is cut off towards the near end, and
// more towards the far one.
Interval gap_interval(std::span<const ClusterGap> gaps, const GapSpread& spread, double tail) {
  const double unseen = gap_of_unseen(spread, kPullOfFarEnd);
  const double count = real(gaps.size()) + 1;
  Sum total;
  total.add(unseen);
  for (const ClusterGap& gap : gaps) total.add(gap.total);
  const double mean = total.value() / count;
  Sum squares;
  const auto add = [&](double residual, double size) {
    squares.add(residual * residual / (1 - size / count));
  };
  add(unseen - mean, 1);
  for (const ClusterGap& gap : gaps) add(gap.total - mean * gap.size, gap.size);
  const double widening = widening_of(gaps, tail);
  const double variance = widening * widening * squares.value() / (count * count);
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
  const bool is_constant = estimate.has(Caveat::NoVariation);
  if (!estimate.interval && (!is_constant || estimate.has(Caveat::TooFewForInterval)))
    return estimate;

  const double width = scale.high - scale.low;
  const bool is_high = scale.high - estimate.value < estimate.value - scale.low;
  const double end = is_high ? scale.high : scale.low;
  const double gap = std::abs(estimate.value - end) / width;
  if (is_constant && gap > kAtEnd) return estimate;
  const Grouping grouping = make_grouping(clusters);
  const std::vector<ClusterGap> gaps = gaps_of(values, grouping, end, width, options.weight);
  const double share = is_constant ? 1 : nearness(gap, deviation_of(gaps));
  if (share == 0) return estimate;
  const GapSpread spread = spread_of(gaps, real(grouping.count) / real(values.size()));
  const Interval gaps_mean = gap_interval(gaps, spread, (1 - options.confidence) / 2);
  const double least = width * std::min(gaps_mean.low, gap);
  const double most = width * std::max(gaps_mean.high, gap);
  const Interval ours =
      is_high ? Interval{end - most, end - least} : Interval{end + least, end + most};
  const Interval usual = estimate.interval.value_or(ours);
  estimate.interval =
      Interval{std::lerp(usual.low, ours.low, share), std::lerp(usual.high, ours.high, share)};
  estimate.df.reset();
  estimate.method = estimate.clusters == estimate.n ? "independent rows, beta with an unseen one"
                                                    : "clustered, beta with an unseen persona";
  std::erase(estimate.caveats, Caveat::NearScaleEnd);
  std::erase(estimate.caveats, Caveat::NoVariation);
  // Here a large cluster counts as one.
  const auto alike = gaps_of(values, grouping, end, width, Weight::Cluster);
  if (spread_of(alike, real(grouping.count) / real(values.size())).clusters < kFewOffTheEnd)
    estimate.caveats.push_back(Caveat::RareClusters);
  return estimate;
}

std::optional<Interval> stretched_interval(const Estimate& shape, double value,
                                           double standard_error, const Scale& scale) {
  if (!shape.interval || !shape.standard_error || !(*shape.standard_error > 0)) return std::nullopt;
  const double stretch = standard_error / *shape.standard_error;
  return Interval{
      std::clamp(value - stretch * (shape.value - shape.interval->low), scale.low, scale.high),
      std::clamp(value + stretch * (shape.interval->high - shape.value), scale.low, scale.high)};
}

Result<Estimate> two_way_score_mean(std::span<const double> values,
                                    std::span<const std::size_t> first_clusters,
                                    std::span<const std::size_t> second_clusters,
                                    const IntervalOptions& options) {
  // Where each row is alone in one way, the other way is all there is.
  if (make_grouping(first_clusters).count == values.size())
    return score_mean(values, second_clusters, options);
  if (make_grouping(second_clusters).count == values.size())
    return score_mean(values, first_clusters, options);
  ASSIGN_OR_RETURN(Estimate both, two_way_mean(values, first_clusters, second_clusters, options));
  ASSIGN_OR_RETURN(Estimate first, score_mean(values, first_clusters, options));
  ASSIGN_OR_RETURN(Estimate second, score_mean(values, second_clusters, options));
  const bool is_first =
      first.standard_error.value_or(0) > second.standard_error.value_or(0) ||
      (first.standard_error == second.standard_error && first.clusters <= second.clusters);
  Estimate& wider = is_first ? first : second;
  const bool is_near_end = wider.interval && !wider.df;
  if (!is_near_end || both.has(Caveat::TooFewForInterval)) return both;
  if (*wider.standard_error > 0) {
    both.interval = stretched_interval(wider, both.value, *both.standard_error, options.scale);
  } else {
    both.interval = wider.interval;  // all scores are on the end
  }
  both.df.reset();
  both.method = "two-way, " + wider.method;
  std::erase(both.caveats, Caveat::NearScaleEnd);
  std::erase(both.caveats, Caveat::NoVariation);
  if (wider.has(Caveat::RareClusters)) both.caveats.push_back(Caveat::RareClusters);
  return both;
}

double unseen_gap(std::span<const double> values, std::span<const std::size_t> clusters, double end,
                  double width, double pull) {
  const Grouping grouping = make_grouping(clusters);
  const auto gaps = gaps_of(values, grouping, end, width, Weight::Row);
  return gap_of_unseen(spread_of(gaps, real(grouping.count) / real(values.size())), pull);
}

}  // namespace personascope::stats
