// Many tests at once: p-values adjusted so that chance findings stay rare.
#pragma once

#include <span>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

// Keeps the order of `p_values`; the chance of any false finding stays below the level (Holm).
// Fails as Invalid if a value is outside 0..1. No p-values, no result.
Result<std::vector<double>> holm(std::span<const double> p_values);

}  // namespace personascope::stats
