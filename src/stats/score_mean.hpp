// The mean of scores with the interval that commands and reports show.
//
// In the middle of a scale CR1 with t(G-1) has its stated coverage. Near an end it does not: with
// 10 personas and a mean of 4.96 on 1..5 it covers 65 %, since the few bad personas that pull the
// mean down are mostly not in the sample. There a persona is added that was not seen, between the
// worst that was seen and the far end, and the interval is that of the beta distribution with the
// mean and the variance of them all (coverage: perf/stats/perf_coverage, docs/statistics.md).
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

// By rule, named in `method`:
// - Wilson, where every row is a cluster of its own and every score 0 or 1 on a scale of these;
// - the beta interval above, where an end of the scale lies within a fifth of its width and within
//   4 standard deviations of the clusters' means; up to half as far again it gives way to the next;
// - clustered_mean else, and on a scale without both ends.
// The standard error is CR1's in any case. Fails as clustered_mean does.
Result<Estimate> score_mean(std::span<const double> values, std::span<const std::size_t> clusters,
                            const IntervalOptions& options = {});

}  // namespace personascope::stats
