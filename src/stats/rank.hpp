// Rank correlations, for scores whose order can be trusted more than their distances.
#pragma once

#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace personascope::stats {

// Each value's rank from 1; ties share the mean of their ranks.
std::vector<double> mid_ranks(std::span<const double> values);

// Both fail on empty input, different sizes, numbers that are not finite, and where one side
// does not vary; they take n log n time. For an interval put them through `bootstrap`.

Result<Estimate> spearman(std::span<const double> x, std::span<const double> y);
// Corrected for ties: the usual choice.
Result<Estimate> kendall_tau_b(std::span<const double> x, std::span<const double> y);

}  // namespace personascope::stats
