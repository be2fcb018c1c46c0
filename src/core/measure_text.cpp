#include "core/measure_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace personascope::core {
namespace {

std::string_view mark_of(std::string_view unit, bool is_difference) {
  if (unit != kShareUnit) return "";
  return is_difference ? " pp" : " %";
}

// Without the unit's mark.
std::string render_bare(double value, std::string_view unit, bool is_difference) {
  if (unit == kCountUnit) return render_count(std::llround(value));
  const bool is_signed = is_difference || unit == kNatsUnit;
  const double shown = unit == kShareUnit ? 100 * value : value;
  const int digits = unit == kShareUnit ? 1 : unit == kNatsUnit ? 3 : 2;
  return is_signed ? fmt::format("{:+.{}f}", shown, digits) : fmt::format("{:.{}f}", shown, digits);
}

}  // namespace

std::string render_count(long long number) {
  std::string digits = std::to_string(std::llabs(number));
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return (number < 0 ? "-" : "") + digits;
}

std::string render_value(const std::optional<double>& value, std::string_view unit,
                         bool is_difference) {
  if (!value || !std::isfinite(*value)) return "-";
  return render_bare(*value, unit, is_difference) + std::string(mark_of(unit, is_difference));
}

std::string render_interval(const std::optional<Interval>& interval, std::string_view unit,
                            bool is_difference) {
  if (!interval) return "-";
  return fmt::format("{} to {}{}", render_bare(interval->low, unit, is_difference),
                     render_bare(interval->high, unit, is_difference),
                     mark_of(unit, is_difference));
}

}  // namespace personascope::core
