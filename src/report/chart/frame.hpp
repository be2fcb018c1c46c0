// What the charts have in common: sizes, the title, axes and what a mark says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric.hpp"
#include "report/chart/axis.hpp"
#include "report/chart/svg.hpp"

namespace personascope::report {

inline constexpr double kChartWidth = 720;
inline constexpr double kChartMargin = 16;
inline constexpr double kChartFont = 12;
inline constexpr double kSmallFont = 10;
inline constexpr double kWidestLabel = 240;
inline constexpr std::size_t kSeriesColours = 6;  // of chart_css()

// Draws it and returns where it ends.
double draw_chart_title(Svg& svg, std::string_view title);

// The part of the chart that an axis spans.
struct Span {
  double from = 0;
  double to = 0;
  double at(double share) const { return from + share * (to - from); }
  double length() const { return to - from; }
};

// As many ticks as have room with their labels below each other's ends.
std::size_t count_ticks_that_fit(double length);

// Grid lines over `y`, tick labels below it; with a difference, a stronger line at zero. Returns
// where it ends.
double draw_x_axis(Svg& svg, const Axis& axis, Span x, Span y, std::string_view unit,
                   bool is_difference);

// The widest of the labels, at most kWidestLabel.
double measure_labels(const std::vector<std::string>& labels, double font_size);

// Coloured names in as many lines as they need; returns where they end.
struct LegendEntry {
  std::string css_class;
  std::string text;
};
double draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, double top);

// "Expected Action: 4.12 (3.90 to 4.30), n 18", the same in words, and data attributes.
MarkInfo make_mark(const std::string& label, const std::optional<double>& value,
                   const std::optional<core::Interval>& interval, std::int64_t n,
                   std::string_view unit, bool is_difference);

// The range of values and intervals, or of `scale` if there is one; 0 to 1 if there are none.
class RangeOfValues {
 public:
  void add(const std::optional<double>& value);
  void add(const std::optional<core::Interval>& interval);
  core::Interval range() const;

 private:
  std::optional<core::Interval> range_;
};

// What is no number is not drawn.
std::optional<double> only_finite(const std::optional<double>& value);
std::optional<core::Interval> only_finite(const std::optional<core::Interval>& interval);

}  // namespace personascope::report
