// A share as a bar, with its interval as a band around the end.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace personascope::cli {

// `columns` stand for 1: full up to the interval's low end, then dark up to the share and light up
// to the high end. Without an interval, full up to the share. What is outside 0 to 1 is cut off.
std::string render_banded_bar(double share,
                              const std::optional<std::pair<double, double>>& interval,
                              std::size_t columns);

}  // namespace personascope::cli
