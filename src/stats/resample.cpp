#include "stats/resample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "stats/distribution.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kReplicates = 999;
// Rows that the bootstrap may look at, all samples together: about a second of a rank correlation.
constexpr std::size_t kMostDrawn = 2'000'000;
constexpr std::size_t kLeftOut = 20;
constexpr std::size_t kBlocks = 50;
constexpr std::size_t kFewestForBlocks = 2000;  // so that a block has 40 clusters

// Deals whole clusters; blocks differ by one cluster at most.
std::vector<std::vector<std::size_t>> deal_rows(const Grouping& grouping, std::size_t count,
                                                std::uint64_t seed) {
  std::vector<std::size_t> order(grouping.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed, "blocks");
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::size_t> block_of(grouping.count);
  for (std::size_t i = 0; i < order.size(); ++i) block_of[order[i]] = i % count;
  std::vector<std::vector<std::size_t>> blocks(count);
  for (std::size_t row = 0; row < grouping.of_row.size(); ++row) {
    blocks[block_of[grouping.of_row[row]]].push_back(row);
  }
  return blocks;
}

// Quantiles of a bootstrap are too narrow for few clusters, by the factor sqrt(G / (G-1)) and by t
// in the place of z: the confidence whose quantiles make up for it (Hesterberg 2015).
double expanded(double confidence, std::size_t clusters) {
  constexpr std::size_t kFewest = 5;
  constexpr double kMost = 1 - 1e-9;
  if (clusters < kFewest) return confidence;
  const double count = real(clusters);
  const double quantile =
      std::sqrt(count / (count - 1)) * t_quantile(0.5 + confidence / 2, count - 1);
  return std::clamp(2 * normal_cdf(quantile) - 1, confidence, std::max(confidence, kMost));
}

Estimate without_interval(Estimate estimate) {
  estimate.caveats.push_back(Caveat::MostlyUndefined);
  return estimate;
}

// Leaves out one group of clusters after the other.
Result<Estimate> jackknife(const Grouping& grouping, Estimate estimate, const Statistic& statistic,
                           const ResampleOptions& options) {
  const std::size_t groups = std::min(kLeftOut, grouping.count);
  const auto dealt = deal_rows(grouping, groups, options.seed);
  std::vector<double> without;
  for (std::size_t left_out = 0; left_out < groups; ++left_out) {
    std::vector<std::size_t> rows;
    rows.reserve(grouping.of_row.size());
    for (std::size_t group = 0; group < groups; ++group)
      if (group != left_out) rows.insert(rows.end(), dealt[group].begin(), dealt[group].end());
    const auto value = statistic(rows);
    if (!value) return without_interval(std::move(estimate));
    without.push_back(*value);
  }
  const double df = real(groups) - 1;
  const bool is_clustered = grouping.count < grouping.of_row.size();
  estimate.method = fmt::format("jackknife of {} groups of {}, t({})", groups,
                                is_clustered ? "clusters" : "rows", groups - 1);
  return with_t_interval(std::move(estimate), squared_deviations(without) * df / real(groups), df,
                         options.bounds);
}

}  // namespace

Result<Estimate> resample(std::span<const std::size_t> clusters, const Statistic& statistic,
                          const ResampleOptions& options) {
  const Grouping grouping = make_grouping(clusters);
  const std::size_t samples = kReplicates + grouping.count;  // BCa leaves each cluster out once
  if (grouping.count < 2 || clusters.size() <= kMostDrawn / samples) {
    RETURN_IF_ERROR(check_confidence(options.bounds.confidence));
    IntervalOptions bounds = options.bounds;
    bounds.confidence = expanded(bounds.confidence, grouping.count);
    return bootstrap(clusters, statistic,
                     {.replicates = kReplicates,
                      .seed = options.seed,
                      .threads = options.threads,
                      .interval = BootstrapInterval::Bca,
                      .bounds = bounds});
  }
  std::vector<std::size_t> all(clusters.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  ASSIGN_OR_RETURN(const double value, statistic(all));
  ASSIGN_OR_RETURN(Estimate estimate, bare_estimate(value, clusters.size(), "50 blocks, t(49)"));
  estimate.clusters = grouping.count;
  if (grouping.count < kFewestForBlocks)
    return jackknife(grouping, std::move(estimate), statistic, options);
  std::vector<double> of_blocks;
  for (const auto& rows : deal_rows(grouping, kBlocks, options.seed)) {
    const auto of_block = statistic(rows);
    if (!of_block) return without_interval(std::move(estimate));
    of_blocks.push_back(*of_block);
  }
  const double count = real(kBlocks);
  const double variance = squared_deviations(of_blocks) / (count - 1) / count;
  return with_t_interval(std::move(estimate), variance, count - 1, options.bounds);
}

}  // namespace personascope::stats
