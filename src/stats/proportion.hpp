// Intervals for rates of independent trials, which stay on the scale and work at both ends.
#pragma once

#include <cstddef>

#include "stats/estimate.hpp"

namespace personascope::stats {

enum class RateMethod { Wilson, ClopperPearson, Jeffreys };

// `successes` out of `n` independent trials. Here, unlike with scores, a few trials are enough for
// an interval. Fails if n is 0 or less than `successes`.
Result<Estimate> rate(std::size_t successes, std::size_t n, RateMethod method = RateMethod::Wilson,
                      double confidence = 0.95);

}  // namespace personascope::stats
