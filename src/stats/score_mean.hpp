// The mean of scores with the interval that commands and reports show.
//
// In the middle of a scale CR1 with t(G-1) covers what it promises. Near an end it does not: with
// 10 personas and a mean of 4.96 on 1..5 it covers 66 %, since the few bad personas that pull the
// mean down are mostly not in the sample. There each end of the scale counts as a fifth of a
// persona that was not seen, and the interval is that of the Bayesian bootstrap over personas and
// that one. It covers 93 to 99 % (perf/stats/perf_coverage; docs/statistics.md has the table).
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

// By rule, named in `method`:
// - Wilson, where every row is a cluster of its own and every score an end of the scale;
// - the weighted bootstrap above, where an end of the scale lies within a fifth of its width and
//   within 4 standard deviations of the clusters' means (and there are at most 10,000 clusters);
// - clustered_mean else, and on a scale without both ends.
// The standard error is CR1's in any case. Fails as clustered_mean does.
Result<Estimate> score_mean(std::span<const double> values, std::span<const std::size_t> clusters,
                            const IntervalOptions& options = {});

// A point of a weighted bootstrap: its weight is gamma distributed with this shape, times `size`.
struct WeightedPoint {
  double value = 0;
  double size = 1;
  double shape = 1;
};

// The value below which the points' weighted mean lies with `probability`, by a saddlepoint
// approximation (relative error of the probability about 1 %). Sizes and shapes are positive, and
// there is a point.
double weighted_mean_quantile(std::span<const WeightedPoint> points, double probability);

}  // namespace personascope::stats
