// An interval for a statistic without a formula, in a time that suits the size of the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stats/bootstrap.hpp"
#include "stats/estimate.hpp"

namespace personascope::stats {

struct ResampleOptions {
  std::uint64_t seed = 0;
  unsigned threads = 1;  // changes the time, never the result
  IntervalOptions bounds = {};
};

// Up to 2000 clusters the bootstrap (BCa, 999 replicates). Above, clusters are dealt at random into
// 50 blocks, the statistic is computed in each, and their spread gives a t(49) interval around the
// value on all rows. Few clusters of more than 20,000 rows in all are dealt into 20 groups, each
// left out once (the jackknife, t(19)). Fails where the statistic is undefined on the data, on more
// than a tenth of the replicates, on any block, or without any group.
Result<Estimate> resample(std::span<const std::size_t> clusters, const Statistic& statistic,
                          const ResampleOptions& options = {});

}  // namespace personascope::stats
