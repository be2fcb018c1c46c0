#include "stats/score_mean.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "stats/clustered.hpp"
#include "stats/distribution.hpp"
#include "stats/grouping.hpp"
#include "stats/proportion.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// All three were chosen by simulation: see perf_coverage.
constexpr double kShareOfUnseen = 0.2;
constexpr double kNearInWidths = 0.2;
constexpr double kNearInDeviations = 4;
// The t interval is as good for so many, and takes no search.
constexpr std::size_t kMostClusters = 10'000;

// The cumulant generating function of the sum of weight * (value - x), and its derivatives.
struct Cumulants {
  double value = 0;
  double first = 0;
  double second = 0;
};

Cumulants cumulants_at(std::span<const WeightedPoint> points, double x, double s) {
  Cumulants sum;
  for (const WeightedPoint& point : points) {
    const double distance = point.size * (point.value - x);
    const double ratio = distance / (1 - s * distance);
    sum.value -= point.shape * std::log1p(-s * distance);
    sum.first += point.shape * ratio;
    sum.second += point.shape * ratio * ratio;
  }
  return sum;
}

// Where the first derivative is 0; x lies strictly between the least and the largest value.
double saddlepoint(std::span<const WeightedPoint> points, double x) {
  double least = 0;
  double most = 0;
  for (const WeightedPoint& point : points) {
    least = std::min(least, point.size * (point.value - x));
    most = std::max(most, point.size * (point.value - x));
  }
  double low = 1 / least;
  double high = 1 / most;
  double s = 0;
  for (int step = 0; step < 200; ++step) {
    const Cumulants at = cumulants_at(points, x, s);
    (at.first < 0 ? low : high) = s;
    double next = s - at.first / at.second;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - s) <= 1e-12 * (high - low)) return next;
    s = next;
  }
  return s;
}

// P(the weighted mean <= x), by Lugannani and Rice.
double probability_up_to(std::span<const WeightedPoint> points, double x) {
  const double s = saddlepoint(points, x);
  const Cumulants at = cumulants_at(points, x, s);
  const double w = std::copysign(std::sqrt(std::max(0.0, -2 * at.value)), s);
  const double u = s * std::sqrt(at.second);
  if (std::abs(w) < 1e-4) return 0.5;  // the formula's two terms cancel there
  const double density = std::exp(-w * w / 2) / std::sqrt(2 * std::numbers::pi);
  return normal_cdf(w) + density * (1 / w - 1 / u);
}

struct ClusterMeans {
  std::vector<WeightedPoint> points;
  double deviation = 0;  // standard deviation of the means
};

ClusterMeans means_of(std::span<const double> values, const Grouping& grouping) {
  const ClusterTotals totals = total_by_cluster(values, grouping);
  ClusterMeans means;
  std::vector<double> plain;
  for (std::size_t g = 0; g < grouping.count; ++g) {
    const double size = real(totals.sizes[g]);
    means.points.push_back({.value = totals.sums[g] / size, .size = size});
    plain.push_back(totals.sums[g] / size);
  }
  means.deviation = std::sqrt(squared_deviations(plain) / (real(grouping.count) - 1));
  return means;
}

bool is_end_near(double mean, double deviation, const Scale& scale) {
  const double distance = std::min(mean - scale.low, scale.high - mean);
  return distance <= kNearInWidths * (scale.high - scale.low) &&
         distance <= kNearInDeviations * deviation;
}

double bound_with_unseen(std::vector<WeightedPoint> points, double size, double end,
                         double probability) {
  points.push_back({.value = end, .size = size, .shape = kShareOfUnseen});
  return weighted_mean_quantile(points, probability);
}

// An interval that knows the scale's ends replaces the caveat about them.
Estimate without_end_caveat(Estimate estimate) {
  std::erase(estimate.caveats, Caveat::NearScaleEnd);
  return estimate;
}

}  // namespace

double weighted_mean_quantile(std::span<const WeightedPoint> points, double probability) {
  const auto [least, most] = std::ranges::minmax(points, {}, &WeightedPoint::value);
  double low = least.value;
  double high = most.value;
  const double precision = 1e-10 * (high - low);
  while (high - low > precision) {
    const double middle = std::midpoint(low, high);
    if (!(middle > low && middle < high)) break;
    (probability_up_to(points, middle) < probability ? low : high) = middle;
  }
  return std::midpoint(low, high);
}

Result<Estimate> score_mean(std::span<const double> values, std::span<const std::size_t> clusters,
                            const IntervalOptions& options) {
  ASSIGN_OR_RETURN(Estimate estimate, clustered_mean(values, clusters, options));
  const Scale& scale = options.scale;
  if (!std::isfinite(scale.high - scale.low) || scale.low == scale.high) return estimate;
  const auto is_end = [&](double value) { return value == scale.low || value == scale.high; };
  if (estimate.clusters == values.size() && std::ranges::all_of(values, is_end)) {
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
  if (!estimate.interval || estimate.clusters > kMostClusters) return estimate;

  const Grouping grouping = make_grouping(clusters);
  const ClusterMeans means = means_of(values, grouping);
  if (!is_end_near(estimate.value, means.deviation, scale)) return estimate;
  const double size = real(values.size()) / real(grouping.count);
  const double tail = (1 - options.confidence) / 2;
  estimate.interval = Interval{
      std::min(estimate.value, bound_with_unseen(means.points, size, scale.low, tail)),
      std::max(estimate.value, bound_with_unseen(means.points, size, scale.high, 1 - tail))};
  estimate.df.reset();
  estimate.method = "clustered, weighted bootstrap with an unseen persona at each end";
  return without_end_caveat(std::move(estimate));
}

}  // namespace personascope::stats
