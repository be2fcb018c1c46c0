// How many independent judges a panel is worth: judges with the same errors count as fewer.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.hpp"

namespace personascope::stats {

// Kish's effective number of votes, k^2 / (sum of all correlations of the judges' errors);
// `correlations` is the k x k matrix row by row. Fails if it is not square, not symmetric, has
// other than ones on the diagonal or values outside -1..1, or if the errors cancel completely.
Result<double> effective_votes(std::span<const double> correlations, std::size_t judges);

}  // namespace personascope::stats
