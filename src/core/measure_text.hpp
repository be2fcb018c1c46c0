// Numbers of findings as text, by their unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/metric.hpp"

namespace personascope::core {

// "12,345".
std::string render_count(long long number);

// "4.12", "42.0 %", "+3.1 pp" (a difference of shares, in percentage points), "1,200"; "-" where
// there is none. Differences and lifts always show their sign.
std::string render_value(const std::optional<double>& value, std::string_view unit,
                         bool is_difference);
// "4.10 to 4.60", "31.0 to 53.0 %", "-3.0 to +9.0 pp"; "-" where there is none.
std::string render_interval(const std::optional<Interval>& interval, std::string_view unit,
                            bool is_difference);

}  // namespace personascope::core
