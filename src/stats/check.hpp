// The checks every statistic makes of its input before it calculates.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "stats/estimate.hpp"

namespace personascope::stats {

// Fails if `values` is empty or holds a number that is not finite; `what` names it in the sentence.
Result<void> check_values(std::span<const double> values, std::string_view what);
// Fails as above and if a value lies outside the scale.
Result<void> check_on_scale(std::span<const double> values, const Scale& scale,
                            std::string_view what);
Result<void> check_same_size(std::size_t first, std::size_t second, std::string_view what);
// Fails unless 0 < probability < 1.
Result<void> check_probability(double probability, std::string_view what);

}  // namespace personascope::stats
