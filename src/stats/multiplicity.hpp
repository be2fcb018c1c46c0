// Many tests at once: p-values adjusted so that chance findings stay rare.
#pragma once

#include <span>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

// All three keep the order of `p_values` and fail if one is outside 0..1. No p-values, no result.

// For claims: the chance of any false finding stays below the level (Holm).
Result<std::vector<double>> holm(std::span<const double> p_values);
// For exploring: the expected share of false findings stays below the level, for independent or
// positively dependent tests (Benjamini and Hochberg).
Result<std::vector<double>> benjamini_hochberg(std::span<const double> p_values);
// The same under any dependence (Benjamini and Yekutieli).
Result<std::vector<double>> benjamini_yekutieli(std::span<const double> p_values);

}  // namespace personascope::stats
