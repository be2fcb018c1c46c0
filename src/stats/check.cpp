#include "stats/check.hpp"

#include <cmath>

namespace personascope::stats {

Result<void> check_values(std::span<const double> values, std::string_view what) {
  if (values.empty()) return fail(ErrorKind::Invalid, "there are no {}", what);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      return fail(ErrorKind::Invalid, "number {} of the {} is not finite", i + 1, what);
    }
  }
  return {};
}

Result<void> check_on_scale(std::span<const double> values, const Scale& scale,
                            std::string_view what) {
  RETURN_IF_ERROR(check_values(values, what));
  for (const double value : values) {
    if (value < scale.low || value > scale.high) {
      return fail(ErrorKind::Invalid, "{} among the {} lies outside the scale {} to {}", value,
                  what, scale.low, scale.high);
    }
  }
  return {};
}

Result<void> check_same_size(std::size_t first, std::size_t second, std::string_view what) {
  if (first != second) {
    return fail(ErrorKind::Invalid, "{} differ in number: {} and {}", what, first, second);
  }
  return {};
}

Result<void> check_probability(double probability, std::string_view what) {
  if (!(probability > 0 && probability < 1)) {
    return fail(ErrorKind::Invalid, "a {} of {} is not between 0 and 1", what, probability);
  }
  return {};
}

}  // namespace personascope::stats
