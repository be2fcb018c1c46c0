#include "cli/forest_plot.hpp"

#include <algorithm>
#include <cmath>

#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kNarrowestPlot = 20;
constexpr std::size_t kWidest = 61;

struct Axis {
  double low = 0;
  double high = 0;
  std::size_t width = 0;

  std::size_t column_of(double value) const {
    const double share = (value - low) / (high - low);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(width - 1)));
  }
};

// Symmetric around zero, so that the line stays in the middle.
Axis make_axis(const std::vector<ForestRow>& rows, std::size_t width) {
  double reach = 0;
  for (const ForestRow& row : rows) {
    reach = std::max(reach, std::abs(row.value));
    if (!row.interval) continue;
    reach = std::max({reach, std::abs(row.interval->first), std::abs(row.interval->second)});
  }
  if (!(reach > 0)) reach = 1;
  return {-reach, reach, width};
}

std::string draw_row(const ForestRow& row, const Axis& axis) {
  std::vector<const char*> cells(axis.width, " ");
  cells[axis.column_of(0)] = "│";
  if (row.interval) {
    const std::size_t first = axis.column_of(row.interval->first);
    const std::size_t last = axis.column_of(row.interval->second);
    for (std::size_t i = first; i <= last; ++i) cells[i] = "─";
    cells[first] = "├";
    cells[last] = "┤";
  }
  cells[axis.column_of(row.value)] = "●";
  std::string line;
  for (const char* cell : cells) line += cell;
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string render_forest(const std::vector<ForestRow>& rows, std::size_t columns,
                          const std::function<std::string(double)>& render_end) {
  if (rows.empty()) return "";
  std::size_t label_width = 0;
  for (const ForestRow& row : rows) label_width = std::max(label_width, width(row.label));
  const std::size_t left = columns > label_width + 2 ? columns - label_width - 2 : 0;
  // An odd width has a middle.
  const std::size_t plot_width = (std::clamp(left, kNarrowestPlot, kWidest) - 1) / 2 * 2 + 1;
  const Axis axis = make_axis(rows, plot_width);
  std::string text;
  for (const ForestRow& row : rows) {
    text += row.label + std::string(label_width - width(row.label) + 2, ' ') + draw_row(row, axis) +
            "\n";
  }
  const std::string low = render_end(axis.low);
  const std::string high = render_end(axis.high);
  const std::size_t middle = plot_width / 2;
  // Numbers of dozens of digits are longer than half of the plot.
  const auto fill = [](std::size_t up_to, std::size_t used) {
    return std::string(up_to > used ? up_to - used : 1, ' ');
  };
  std::string scale = low + fill(middle, low.size()) + "0";
  scale += fill(plot_width, scale.size() + high.size()) + high;
  return text + std::string(label_width + 2, ' ') + scale + "\n";
}

}  // namespace personascope::cli
