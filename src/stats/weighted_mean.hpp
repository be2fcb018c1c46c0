// The mean of scores with weights: what it would be in the population from which some groups were
// drawn more often than others.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

struct WeightedMean {
  Estimate estimate;
  double effective_n = 0;  // rows of equal weight that would say as much (Kish)
};

// The sum of weight times value over the sum of weights. Its error is that of the linearized ratio,
// clustered (CR2), with a t interval; with equal weights it is clustered_mean. Fails on empty
// input, different sizes, values that are not finite or not on the scale, and weights that are not
// above 0.
Result<WeightedMean> weighted_mean(std::span<const double> values, std::span<const double> weights,
                                   std::span<const std::size_t> clusters,
                                   const IntervalOptions& options = {});

}  // namespace personascope::stats
