// A linear scale: the range of its values, and where its ticks are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric.hpp"

namespace personascope::report {

struct Axis {
  double low = 0;
  double high = 1;
  std::vector<double> ticks;  // ascending, from low to high
  int digits = 0;             // that tell neighbouring ticks apart

  // 0 at low, 1 at high; values outside are moved to the nearer end.
  double position_of(double value) const;
};

enum class Ends { Keep, Round };  // Round: the ends are moved outwards to ticks

// Ticks are multiples of 1, 2 or 5 times a power of ten; there are at least two, and at most
// `max_ticks` (3 where that is less). A range without length gets one around its value; ends that
// are no numbers count as 0 to 1.
Axis make_axis(core::Interval range, std::size_t max_ticks, Ends ends);

// A tick as text, by the unit: "40 %", "+5 pp", "1.5", "1,200". Multiples of a share are shown as
// percentages.
std::string render_tick(const Axis& axis, double tick, std::string_view unit, bool is_difference);

}  // namespace personascope::report
