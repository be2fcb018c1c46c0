// Intervals for rates and bounded scores, which stay on the scale and work at both ends.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

enum class RateMethod { Wilson, ClopperPearson, Jeffreys };

// `successes` out of `n` independent trials. Here, unlike with scores, a few trials are enough for
// an interval. Fails if n is 0 or less than `successes`.
Result<Estimate> rate(std::size_t successes, std::size_t n, RateMethod method = RateMethod::Wilson,
                      double confidence = 0.95);

// The mean of scores in clusters on a bounded scale: Wilson's interval with as many trials as give
// the clustered variance (CR1), and t(G-1) in the place of z. In mid-scale it equals
// clustered_mean's; near an end it covers more (79 % instead of 67 % for 10 personas with a mean
// of 4.96 on 1..5). The variance is at least that of independent rows; where no score differs it
// cannot be seen, and each cluster counts as a single trial. Fails as clustered_mean does, and on a
// scale without both ends.
Result<Estimate> bounded_mean(std::span<const double> values, std::span<const std::size_t> clusters,
                              const IntervalOptions& options);

// The rate of `outcomes` (each 0 or 1) in clusters: the same, which for a rate is Wilson on n
// divided by the design effect.
Result<Estimate> clustered_rate(std::span<const double> outcomes,
                                std::span<const std::size_t> clusters, double confidence = 0.95);

}  // namespace personascope::stats
