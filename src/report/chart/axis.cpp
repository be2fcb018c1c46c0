#include "report/chart/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/measure_text.hpp"

namespace personascope::report {
namespace {

constexpr double kRounding = 1e-9;  // of a step: differences that are no differences

// The smallest of 1, 2, 5, 10, … that is at least `length`.
double round_step_up(double length) {
  const double power = std::pow(10, std::floor(std::log10(length)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= length * (1 - kRounding)) return factor * power;
  return 10 * power;
}

core::Interval check_range(core::Interval range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) return {0, 1};
  if (range.low > range.high) std::swap(range.low, range.high);
  // Also what is too near to it for a step to be added.
  const double least = std::max(std::abs(range.low), std::abs(range.high)) * 1e-9;
  if (range.high - range.low > std::max(least, 1e-300)) return range;
  const double half = range.low == 0 ? 0.5 : std::abs(range.low) / 2;
  return {range.low - half, range.high + half};
}

void add_ticks(Axis& axis, double step, Ends ends) {
  double first = axis.low / step;
  double last = axis.high / step;
  first = ends == Ends::Round ? std::floor(first + kRounding) : std::ceil(first - kRounding);
  last = ends == Ends::Round ? std::ceil(last - kRounding) : std::floor(last + kRounding);
  axis.ticks.clear();
  for (double i = first; i <= last; ++i) axis.ticks.push_back(i == 0 ? 0 : i * step);
}

}  // namespace

double Axis::position_of(double value) const {
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

Axis make_axis(core::Interval range, std::size_t max_ticks, Ends ends) {
  range = check_range(range);
  Axis axis{range.low, range.high, {}, 0};
  double step = round_step_up((range.high - range.low) / static_cast<double>(max_ticks));
  add_ticks(axis, step, ends);
  // Around zero there are three at least.
  while (axis.ticks.size() > std::max<std::size_t>(max_ticks, 3)) {
    step = round_step_up(step * 1.5);
    add_ticks(axis, step, ends);
  }
  if (axis.ticks.size() < 2) axis.ticks = {axis.low, axis.high};
  if (ends == Ends::Round) {
    axis.low = std::min(axis.low, axis.ticks.front());
    axis.high = std::max(axis.high, axis.ticks.back());
  }
  axis.digits = std::clamp(static_cast<int>(-std::floor(std::log10(step) + kRounding)), 0, 12);
  return axis;
}

std::string render_tick(const Axis& axis, double tick, std::string_view unit, bool is_difference) {
  if (unit == core::kShareUnit) {
    const int digits = std::max(0, axis.digits - 2);
    const double shown = 100 * tick;
    return is_difference && tick != 0 ? fmt::format("{:+.{}f} pp", shown, digits)
           : is_difference            ? "0"
                                      : fmt::format("{:.{}f} %", shown, digits);
  }
  if (unit == core::kCountUnit && axis.digits == 0) return core::render_count(std::llround(tick));
  return is_difference && tick != 0 ? fmt::format("{:+.{}f}", tick, axis.digits)
                                    : fmt::format("{:.{}f}", tick, axis.digits);
}

}  // namespace personascope::report
