// Intervals drawn side by side on one axis, with a line at zero.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace personascope::cli {

struct ForestRow {
  std::string label;
  double value = 0;
  std::optional<std::pair<double, double>> interval;
};

// At most `columns` wide; empty if there are no rows.
std::string render_forest(const std::vector<ForestRow>& rows, std::size_t columns);

}  // namespace personascope::cli
