// The mean of scores with the interval that commands and reports show.
//
// In the middle of a scale CR2 with its t has its stated coverage. Near an end it does not: with
// 10 personas and a mean of 4.96 on 1..5 it covers 65 %, since the few bad personas that pull the
// mean down are mostly not in the sample. There a persona is added that was not seen, between the
// worst that was seen and the far end, and the interval is that of the beta distribution with the
// mean and the variance of them all (coverage: perf/stats/perf_coverage, docs/statistics.md).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

// By rule, named in `method`:
// - Wilson, where every row is a cluster of its own and every score 0 or 1 on a scale of these;
// - the beta interval above, where an end of the scale lies within a fifth of its width and within
//   4 standard deviations of the clusters' means; up to half as far again it gives way to the next;
// - clustered_mean else, and on a scale without both ends.
// Scores that are all equal have an interval only at an end of the scale. The standard error is
// CR2's in any case. Caveat RareClusters: near an end, where fewer than 3 clusters' worth of scores
// lie off it; clusters so rare that none is in the sample are not covered (with 2 % of 100 personas
// at the far end, 95 % intervals cover 85 %). Fails as clustered_mean does.
Result<Estimate> score_mean(std::span<const double> values, std::span<const std::size_t> clusters,
                            const IntervalOptions& options = {});

// The same for rows that are clustered in two ways, such as by persona and by question:
// two_way_mean, and near an end of the scale the interval above of the way with the larger error,
// widened or narrowed as the two-way error is. Every row counts alike. Fails as two_way_mean does.
Result<Estimate> two_way_score_mean(std::span<const double> values,
                                    std::span<const std::size_t> first_clusters,
                                    std::span<const std::size_t> second_clusters,
                                    const IntervalOptions& options = {});

// The interval of `shape` moved to `value` and stretched by standard_error / its own error: for an
// estimate that has an error but no interval of its own near an end of the scale. Nothing where
// `shape` has no interval or no error. Cut off at the scale.
std::optional<Interval> stretched_interval(const Estimate& shape, double value,
                                           double standard_error, const Scale& scale);

// The gap between the near end of the scale and the mean of a cluster that was not seen, in widths
// of the scale: between the worst that was seen and 1. `pull` (larger: further) is score_mean's
// unless a test asks for more.
double unseen_gap(std::span<const double> values, std::span<const std::size_t> clusters, double end,
                  double width, double pull);

}  // namespace personascope::stats
