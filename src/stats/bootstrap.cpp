#include "stats/bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "stats/check.hpp"
#include "stats/distribution.hpp"
#include "stats/grouping.hpp"
#include "stats/parallel.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// A statistic of clusters given by number, some of them more than once.
using ClusterStatistic = std::function<Result<double>(std::span<const std::size_t> clusters)>;

constexpr double kMostUndefined = 0.1;

Random replicate_random(const BootstrapOptions& options, std::size_t replicate) {
  return Random(options.seed, "cluster bootstrap", {}, replicate);
}

std::vector<double> draw_replicates(std::size_t clusters, const ClusterStatistic& statistic,
                                    const BootstrapOptions& options) {
  const double undefined = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(options.replicates);
  for_each_block(options.replicates, options.threads, [&](std::size_t first, std::size_t last) {
    std::vector<std::size_t> drawn(clusters);
    for (std::size_t replicate = first; replicate < last; ++replicate) {
      Random random = replicate_random(options, replicate);
      for (std::size_t& cluster : drawn) cluster = random.below(clusters);
      values[replicate] = statistic(drawn).value_or(undefined);
    }
  });
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  return values;
}

std::vector<double> leave_each_out(std::size_t clusters, const ClusterStatistic& statistic) {
  std::vector<double> values;
  std::vector<std::size_t> kept(clusters - 1);
  for (std::size_t left_out = 0; left_out < clusters; ++left_out) {
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i < left_out ? i : i + 1;
    if (const auto value = statistic(kept); value && std::isfinite(*value)) {
      values.push_back(*value);
    }
  }
  return values;
}

double standard_deviation(std::span<const double> values) {
  return std::sqrt(squared_deviations(values) / (real(values.size()) - 1));
}

std::string method_of(BootstrapInterval interval, const Estimate& estimate) {
  return fmt::format("{}bootstrap, {}", estimate.clusters < estimate.n ? "cluster " : "",
                     interval == BootstrapInterval::Bca ? "BCa" : "percentile");
}

Result<Estimate> bootstrap_clusters(Estimate estimate, const ClusterStatistic& statistic,
                                    const BootstrapOptions& options) {
  RETURN_IF_ERROR(check_confidence(options.bounds.confidence));
  estimate.method = method_of(options.interval, estimate);
  if (options.replicates < 2) {
    return fail(ErrorKind::Invalid, "{} replicates are too few", options.replicates);
  }
  if (estimate.clusters < 2) return with_interval(std::move(estimate), 0, {}, options.bounds);

  std::vector<double> replicates = draw_replicates(estimate.clusters, statistic, options);
  const std::size_t undefined = options.replicates - replicates.size();
  if (replicates.size() < 2 || real(undefined) > kMostUndefined * real(options.replicates)) {
    estimate.caveats.push_back(Caveat::MostlyUndefined);
    return estimate;
  }
  if (undefined > 0) estimate.caveats.push_back(Caveat::UndefinedReplicates);

  std::ranges::sort(replicates);
  const double error = standard_deviation(replicates);
  // Rounding may leave a trace of a difference.
  const double range = replicates.back() - replicates.front();
  if (range <= 1e-12 * std::abs(replicates.back())) estimate.caveats.push_back(Caveat::NoVariation);
  const double tail = (1 - options.bounds.confidence) / 2;
  Interval interval{quantile_of_sorted(replicates, tail), quantile_of_sorted(replicates, 1 - tail)};
  if (options.interval == BootstrapInterval::Bca) {
    const auto bca =
        bca_interval(std::move(replicates), estimate.value,
                     leave_each_out(estimate.clusters, statistic), options.bounds.confidence);
    // On a few coarse replicates both ends may fall on the same one.
    const bool is_empty = bca && bca->interval.low == bca->interval.high && error > 0;
    if (bca && !is_empty) {
      interval = bca->interval;
    } else {
      estimate.caveats.push_back(Caveat::PercentileInstead);
      estimate.method = method_of(BootstrapInterval::Percentile, estimate);
    }
  }
  const bool is_constant = estimate.has(Caveat::NoVariation);
  ASSIGN_OR_RETURN(estimate, with_interval(std::move(estimate), error, interval, options.bounds));
  if (is_constant) estimate.interval.reset();  // resamples that are all equal show no spread
  return estimate;
}

}  // namespace

Result<Estimate> bootstrap_mean(std::span<const double> values,
                                std::span<const std::size_t> clusters,
                                const BootstrapOptions& options) {
  RETURN_IF_ERROR(check_on_scale(values, options.bounds.scale, "scores"));
  RETURN_IF_ERROR(check_same_size(values.size(), clusters.size(), "scores and cluster keys"));
  const Grouping grouping = make_grouping(clusters);
  const ClusterTotals totals = total_by_cluster(values, grouping);
  ASSIGN_OR_RETURN(Estimate estimate, bare_estimate(mean_of(values), values.size(), ""));
  estimate.clusters = grouping.count;
  const auto mean = [&](std::span<const std::size_t> drawn) -> Result<double> {
    Sum sum;
    std::size_t rows = 0;
    for (const std::size_t cluster : drawn) {
      sum.add(totals.sums[cluster]);
      rows += totals.sizes[cluster];
    }
    return sum.value() / real(rows);
  };
  return bootstrap_clusters(std::move(estimate), mean, options);
}

Result<Estimate> bootstrap(std::span<const std::size_t> clusters, const Statistic& statistic,
                           const BootstrapOptions& options) {
  if (clusters.empty()) return fail(ErrorKind::Invalid, "there are no rows to draw from");
  const Grouping grouping = make_grouping(clusters);
  const auto rows_of = rows_by_cluster(grouping);

  std::vector<std::size_t> all(clusters.size());
  for (std::size_t row = 0; row < all.size(); ++row) all[row] = row;
  ASSIGN_OR_RETURN(const double observed, statistic(all));
  ASSIGN_OR_RETURN(Estimate estimate, bare_estimate(observed, clusters.size(), ""));
  estimate.clusters = grouping.count;

  const auto of_clusters = [&](std::span<const std::size_t> drawn) {
    std::vector<std::size_t> rows;
    rows.reserve(clusters.size() * 2);
    for (const std::size_t cluster : drawn) {
      rows.insert(rows.end(), rows_of[cluster].begin(), rows_of[cluster].end());
    }
    return statistic(rows);
  };
  return bootstrap_clusters(std::move(estimate), of_clusters, options);
}

double quantile_of_sorted(std::span<const double> sorted, double probability) {
  const double position = real(sorted.size() - 1) * probability;
  const auto index = static_cast<std::size_t>(position);
  if (index + 1 >= sorted.size()) return sorted.back();
  return sorted[index] + (position - real(index)) * (sorted[index + 1] - sorted[index]);
}

Result<BcaInterval> bca_interval(std::vector<double> replicates, double observed,
                                 std::span<const double> left_out, double confidence) {
  RETURN_IF_ERROR(check_values(replicates, "replicates"));
  RETURN_IF_ERROR(check_values(left_out, "left-out values"));
  RETURN_IF_ERROR(check_confidence(confidence));
  std::ranges::sort(replicates);
  const auto equal = std::ranges::equal_range(replicates, observed);
  const auto below = static_cast<double>(equal.begin() - replicates.begin());
  // Replicates equal to the value count half, which matters for scores on a coarse scale.
  const double share = (below + static_cast<double>(equal.size()) / 2) / real(replicates.size());
  if (share <= 0 || share >= 1) {
    return fail(ErrorKind::Invalid, "all replicates lie on one side of the value: no BCa interval");
  }

  const double centre = mean_of(left_out);
  Sum squares;
  Sum cubes;
  for (const double value : left_out) {
    const double deviation = centre - value;
    squares.add(deviation * deviation);
    cubes.add(deviation * deviation * deviation);
  }
  BcaInterval result;
  result.bias = normal_quantile(share);
  if (squares.value() > 0) {
    result.acceleration = cubes.value() / (6 * std::pow(squares.value(), 1.5));
  }
  const auto adjusted = [&](double probability) {
    const double z = result.bias + normal_quantile(probability);
    return normal_cdf(result.bias + z / (1 - result.acceleration * z));
  };
  result.low_probability = adjusted((1 - confidence) / 2);
  result.high_probability = adjusted((1 + confidence) / 2);
  result.interval = {quantile_of_sorted(replicates, result.low_probability),
                     quantile_of_sorted(replicates, result.high_probability)};
  return result;
}

}  // namespace personascope::stats
