// Intervals for rates, which stay inside 0..1 and work at both ends.
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

// The rate of `outcomes` (each 0 or 1) in clusters: Wilson on n divided by the design effect, with
// t(G-1) in the place of z. The design effect is at least 1; where no outcome differs it cannot be
// seen, and each cluster counts as a single trial. Rules for few clusters as in clustered_mean.
Result<Estimate> clustered_rate(std::span<const double> outcomes,
                                std::span<const std::size_t> clusters, double confidence = 0.95);

}  // namespace personascope::stats
