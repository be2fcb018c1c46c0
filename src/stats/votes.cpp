#include "stats/votes.hpp"

#include <cmath>

#include "stats/sum.hpp"

namespace personascope::stats {

Result<double> effective_votes(std::span<const double> correlations, std::size_t judges) {
  constexpr double kRounding = 1e-9;
  if (judges == 0 || correlations.size() != judges * judges) {
    return fail(ErrorKind::Invalid, "{} correlations are no square of {} judges",
                correlations.size(), judges);
  }
  for (std::size_t row = 0; row < judges; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      const double value = correlations[row * judges + column];
      const double mirror = correlations[column * judges + row];
      const bool in_range = value >= -1 - kRounding && value <= 1 + kRounding;
      const bool is_one = row != column || std::abs(value - 1) <= kRounding;
      if (!in_range || !is_one || !(std::abs(value - mirror) <= kRounding)) {
        return fail(ErrorKind::Invalid, "judges {} and {} have no proper correlation", row + 1,
                    column + 1);
      }
    }
  }
  const double total = sum_of(correlations);
  if (!(total > kRounding)) {
    return fail(ErrorKind::Invalid, "the judges' errors cancel: effective votes are unbounded");
  }
  return real(judges) * real(judges) / total;
}

}  // namespace personascope::stats
