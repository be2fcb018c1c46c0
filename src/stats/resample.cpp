#include "stats/resample.hpp"

#include <array>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kMostForBootstrap = 2000;
constexpr std::size_t kReplicates = 999;
constexpr std::size_t kBlocks = 50;

// Deals whole clusters; blocks differ by one cluster at most.
std::vector<std::vector<std::size_t>> deal_rows(const Grouping& grouping, std::uint64_t seed) {
  std::vector<std::size_t> order(grouping.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed, "blocks");
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::size_t> block_of(grouping.count);
  for (std::size_t i = 0; i < order.size(); ++i) block_of[order[i]] = i % kBlocks;
  std::vector<std::vector<std::size_t>> blocks(kBlocks);
  for (std::size_t row = 0; row < grouping.of_row.size(); ++row) {
    blocks[block_of[grouping.of_row[row]]].push_back(row);
  }
  return blocks;
}

}  // namespace

Result<Estimate> resample(std::span<const std::size_t> clusters, const Statistic& statistic,
                          const ResampleOptions& options) {
  const Grouping grouping = make_grouping(clusters);
  if (grouping.count <= kMostForBootstrap) {
    return bootstrap(clusters, statistic,
                     {.replicates = kReplicates,
                      .seed = options.seed,
                      .threads = options.threads,
                      .interval = BootstrapInterval::Bca,
                      .bounds = options.bounds});
  }
  std::vector<std::size_t> all(clusters.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  ASSIGN_OR_RETURN(const double value, statistic(all));
  std::vector<double> of_blocks;
  for (const auto& rows : deal_rows(grouping, options.seed)) {
    ASSIGN_OR_RETURN(const double of_block, statistic(rows));
    of_blocks.push_back(of_block);
  }
  ASSIGN_OR_RETURN(Estimate estimate, bare_estimate(value, clusters.size(), "50 blocks, t(49)"));
  estimate.clusters = grouping.count;
  const double count = real(kBlocks);
  const double variance = squared_deviations(of_blocks) / (count - 1) / count;
  return with_t_interval(std::move(estimate), variance, count - 1, options.bounds);
}

}  // namespace personascope::stats
