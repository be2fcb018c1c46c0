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
  unsigned threads = 1;  // affects only the time, not the result
  IntervalOptions bounds = {};
};

// The bootstrap (BCa, 999 replicates) while it looks at two million rows at most: up to 1,000 rows,
// or 1,668 in 200 clusters. Its quantiles are expanded for few clusters (with 10 of them 95 %
// intervals of a kappa cover 95 % instead of 91 %). Above, clusters are dealt at random into 20
// groups or as many as there are, each left out once (the jackknife, t(19) or less); from 2,000
// clusters on into 50 blocks, the statistic is computed in each, and their spread gives a t(49)
// interval around the value on all rows. No interval where the statistic is undefined on more than
// a tenth of the replicates, on a block, or without a group. Fails where it is undefined on the
// data.
Result<Estimate> resample(std::span<const std::size_t> clusters, const Statistic& statistic,
                          const ResampleOptions& options = {});

}  // namespace personascope::stats
