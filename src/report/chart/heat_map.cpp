#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/measure_text.hpp"
#include "report/chart/colour.hpp"
#include "report/chart/drawing.hpp"
#include "report/chart/frame.hpp"
#include "report/chart/text_size.hpp"

namespace personascope::report {
namespace {

constexpr double kSlope = 40;          // degrees of column labels that do not fit flat
constexpr double kLongestSlope = 150;  // of such a label
constexpr double kWidestCell = 110;
constexpr double kNarrowestForText = 34;
constexpr std::size_t kManyRows = 40;  // from here on rows are low and without text

class HeatMapDrawing {
 public:
  HeatMapDrawing(Svg& svg, const HeatMap& map) : svg_(svg), map_(map) {}

  double draw() {
    double y = draw_chart_title(svg_, map_.title);
    place_columns();
    make_scale();
    y = draw_column_labels(y);
    row_height_ = map_.rows.size() > kManyRows ? 13 : has_counts() ? 30 : 24;
    for (std::size_t row = 0; row < map_.rows.size(); ++row) {
      const double font = row_height_ < 20 ? kSmallFont : kChartFont;
      svg_.text({left_ - 8, y + row_height_ / 2 + 4}, fit_text(map_.rows[row], font, kWidestLabel),
                row_height_ < 20 ? "ps-text ps-small" : "ps-text", Anchor::End);
      for (std::size_t column = 0; column < map_.columns.size(); ++column)
        draw_cell(row, column, y);
      y += row_height_;
    }
    return draw_scale(y + 14) + kChartMargin;
  }

 private:
  void place_columns() {
    left_ = kChartMargin + measure_labels(map_.rows, kChartFont) * 1.04 + 12;
    const auto count = static_cast<double>(std::max<std::size_t>(map_.columns.size(), 1));
    const double room = kChartWidth - kChartMargin - left_;
    cell_width_ = std::min(room / count, kWidestCell);
    is_sloped_ = std::ranges::any_of(map_.columns, [&](const std::string& column) {
      return std::ranges::any_of(break_text(column, kChartFont, cell_width_ - 6, 2),
                                 [](const std::string& line) { return line.ends_with("…"); });
    });
    // The last label needs room beside its column.
    if (is_sloped_)
      cell_width_ = std::min(cell_width_, (room - slope_width(longest_slope())) / count + 10);
    cell_width_ = std::max(cell_width_, 6.0);
  }

  double longest_slope() const {
    double longest = 0;
    for (const std::string& column : map_.columns)
      longest =
          std::max(longest, text_width(fit_text(column, kChartFont, kLongestSlope), kChartFont));
    return longest;
  }
  static double slope_width(double length) {
    return length * std::cos(kSlope / 180 * std::numbers::pi);
  }

  double draw_column_labels(double top) {
    const auto center = [&](std::size_t column) {
      return left_ + (static_cast<double>(column) + 0.5) * cell_width_;
    };
    if (is_sloped_) {
      const double bottom = top + longest_slope() * std::sin(kSlope / 180 * std::numbers::pi) + 14;
      for (std::size_t column = 0; column < map_.columns.size(); ++column)
        svg_.text({center(column), bottom - 6},
                  fit_text(map_.columns[column], kChartFont, kLongestSlope), "ps-text",
                  Anchor::Start, -kSlope);
      return bottom;
    }
    std::size_t most = 1;
    for (const std::string& column : map_.columns)
      most = std::max(most, break_text(column, kChartFont, cell_width_ - 6, 2).size());
    for (std::size_t column = 0; column < map_.columns.size(); ++column) {
      const auto lines = break_text(map_.columns[column], kChartFont, cell_width_ - 6, 2);
      for (std::size_t i = 0; i < lines.size(); ++i)
        svg_.text({center(column), top + 12 + 14 * static_cast<double>(most - lines.size() + i)},
                  lines[i], "ps-text", Anchor::Middle);
    }
    return top + 14 * static_cast<double>(most) + 6;
  }

  void make_scale() {
    RangeOfValues values;
    for (const auto& row : map_.cells)
      for (const HeatMap::Cell& cell : row) values.add(only_finite(cell.value));
    axis_ = map_.scale ? make_axis(*map_.scale, 5, Ends::Keep)
                       : make_axis(values.range(), 5, Ends::Round);
  }

  bool has_counts() const {
    return std::ranges::any_of(map_.cells, [](const auto& row) {
      return std::ranges::any_of(row, [](const HeatMap::Cell& cell) { return cell.n > 0; });
    });
  }

  void draw_cell(std::size_t row, std::size_t column, double y) {
    const HeatMap::Cell& cell = map_.cells[row][column];
    const double x = left_ + static_cast<double>(column) * cell_width_;
    const auto value = only_finite(cell.value);
    MarkInfo mark = make_mark(fmt::format("{}, {}", map_.rows[row], map_.columns[column]), value,
                              std::nullopt, cell.n, map_.unit, false);
    mark.values.emplace_back("row", map_.rows[row]);
    mark.values.emplace_back("column", map_.columns[column]);
    svg_.begin_mark(mark);
    const std::string colour = value ? viridis(axis_.position_of(*value)) : "";
    const bool is_pale = value && cell.n > 0 && cell.n < HeatMap::kFewItems;
    svg_.rect(x, y, cell_width_, row_height_,
              !value    ? "ps-none ps-gap"
              : is_pale ? "ps-gap ps-pale"
                        : "ps-gap",
              colour);
    // On a pale cell the page shows through: its own colour of text is the readable one.
    const std::string ink = value && !is_pale ? readable_on(colour) : "";
    if (value && row_height_ >= 20 && cell_width_ >= kNarrowestForText) {
      const bool has_n = cell.n > 0;
      svg_.text({x + cell_width_ / 2, y + row_height_ / 2 + (has_n ? -1 : 4)},
                core::render_value(value, map_.unit, false), "ps-text", Anchor::Middle, 0, ink);
      if (has_n)
        svg_.text({x + cell_width_ / 2, y + row_height_ - 5}, "n " + core::render_count(cell.n),
                  "ps-text ps-small", Anchor::Middle, 0, ink);
    }
    svg_.end_mark();
  }

  // What the colours mean; returns where it ends.
  double draw_scale(double top) {
    constexpr int kSteps = 32;
    constexpr double kLength = 220;
    const Span x{left_, left_ + kLength};
    for (int i = 0; i < kSteps; ++i)
      svg_.rect(x.at(i / double{kSteps}), top, kLength / kSteps + 0.5, 10, "ps-scale",
                viridis((i + 0.5) / kSteps));
    for (const double tick : axis_.ticks)
      svg_.text({x.at(axis_.position_of(tick)), top + 24},
                render_tick(axis_, tick, map_.unit, false), "ps-muted", Anchor::Middle);
    if (!has_counts()) return top + 28;
    svg_.text({x.to + 24, top + 10}, fmt::format("pale: fewer than {} items", HeatMap::kFewItems),
              "ps-muted");
    return top + 28;
  }

  Svg& svg_;
  const HeatMap& map_;
  double left_ = 0;
  double cell_width_ = 0;
  double row_height_ = 0;
  bool is_sloped_ = false;
  Axis axis_;
};

}  // namespace

double draw_chart(Svg& svg, const HeatMap& chart) {
  return HeatMapDrawing(svg, chart).draw();
}

}  // namespace personascope::report
