#include "cli/banded_bar.hpp"

#include <algorithm>
#include <cmath>

namespace personascope::cli {

std::string render_banded_bar(double share,
                              const std::optional<std::pair<double, double>>& interval,
                              std::size_t columns) {
  const auto column_of = [&](double value) {
    return static_cast<std::size_t>(
        std::lround(std::clamp(value, 0.0, 1.0) * static_cast<double>(columns)));
  };
  const std::size_t end = column_of(share);
  const std::size_t low = interval ? std::min(end, column_of(interval->first)) : end;
  const std::size_t high = interval ? std::max(end, column_of(interval->second)) : end;
  std::string bar;
  for (std::size_t i = 0; i < high; ++i) bar += i < low ? "█" : i < end ? "▓" : "░";
  return bar;
}

}  // namespace personascope::cli
