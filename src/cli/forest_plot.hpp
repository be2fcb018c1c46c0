// Intervals drawn side by side on one axis, with a line at zero.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/estimate_text.hpp"

namespace personascope::cli {

struct ForestRow {
  std::string label;
  double value = 0;
  std::optional<std::pair<double, double>> interval;
};

// At most `columns` wide; empty if there are no rows. `render_end` writes the ends of the axis.
std::string render_forest(const std::vector<ForestRow>& rows, std::size_t columns,
                          const std::function<std::string(double)>& render_end = render_signed);

}  // namespace personascope::cli
