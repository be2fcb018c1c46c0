#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/measure_text.hpp"
#include "report/chart/drawing.hpp"
#include "report/chart/frame.hpp"
#include "report/chart/text_size.hpp"

namespace personascope::report {
namespace {

constexpr double kRowHeight = 26;
constexpr double kDot = 4.5;
constexpr double kBarHeight = 14;
constexpr double kCap = 4;  // half of the line that ends a whisker

class IntervalDrawing {
 public:
  IntervalDrawing(Svg& svg, const IntervalChart& chart) : svg_(svg), chart_(chart) {}

  double draw() {
    const double top = draw_chart_title(svg_, chart_.title);
    place_columns();
    const Span y{top, top + kRowHeight * static_cast<double>(chart_.rows.size()) + 6};
    make_x_axis();
    const double bottom = draw_x_axis(svg_, axis_, x_, y, chart_.unit, chart_.is_difference);
    double middle = top + kRowHeight / 2 + 3;
    for (const IntervalChart::Row& row : chart_.rows) {
      draw_row(row, middle);
      middle += kRowHeight;
    }
    return bottom + kChartMargin;
  }

 private:
  // Labels on the left, numbers on the right, the rest is for the drawing.
  void place_columns() {
    std::vector<std::string> labels;
    double widest = 0;
    for (const IntervalChart::Row& row : chart_.rows) {
      labels.push_back(row.label);
      widest = std::max(widest, text_width(describe_row(row), kChartFont));
    }
    x_.from = kChartMargin + measure_labels(labels, kChartFont) * 1.04 + 14;
    x_.to = kChartWidth - kChartMargin - widest - 14;
  }

  void make_x_axis() {
    RangeOfValues values;
    if (chart_.is_difference || chart_.form == IntervalForm::Bars) values.add(std::optional(0.0));
    for (const IntervalChart::Row& row : chart_.rows) {
      values.add(only_finite(row.value));
      values.add(only_finite(row.interval));
    }
    const std::size_t ticks = count_ticks_that_fit(x_.length());
    axis_ = chart_.scale ? make_axis(*chart_.scale, ticks, Ends::Keep)
                         : make_axis(values.range(), ticks, Ends::Round);
  }

  std::string describe_row(const IntervalChart::Row& row) const {
    std::string text = core::render_value(row.value, chart_.unit, chart_.is_difference);
    if (only_finite(row.interval))
      text += fmt::format("  [{}]",
                          core::render_interval(row.interval, chart_.unit, chart_.is_difference));
    if (row.n > 0) text += fmt::format("  n {}", core::render_count(row.n));
    return text;
  }

  double x_of(double value) const { return x_.at(axis_.position_of(value)); }

  void draw_row(const IntervalChart::Row& row, double y) {
    const std::string weight = row.is_total ? " ps-bold" : "";
    const auto value = only_finite(row.value);
    const auto interval = only_finite(row.interval);
    svg_.begin_mark(
        make_mark(row.label, value, interval, row.n, chart_.unit, chart_.is_difference));
    svg_.text({x_.from - 10, y + 4}, fit_text(row.label, kChartFont, kWidestLabel),
              "ps-text" + weight, Anchor::End);
    if (value && chart_.form == IntervalForm::Bars) draw_bar(*value, y);
    if (interval) draw_whisker(*interval, y);
    if (value && chart_.form == IntervalForm::Dots)
      svg_.circle({x_of(*value), y}, kDot, row.is_total ? "ps-f1" : "ps-f0");
    svg_.text({kChartWidth - kChartMargin, y + 4}, describe_row(row), "ps-muted" + weight,
              Anchor::End);
    svg_.end_mark();
  }

  void draw_bar(double value, double y) {
    const double from = x_of(std::clamp(0.0, axis_.low, axis_.high));
    const double to = x_of(value);
    svg_.rect(std::min(from, to), y - kBarHeight / 2, std::abs(to - from), kBarHeight,
              value < 0 ? "ps-f1 ps-soft" : "ps-f0 ps-soft");
  }

  void draw_whisker(const core::Interval& interval, double y) {
    const double low = x_of(interval.low);
    const double high = x_of(interval.high);
    svg_.line({low, y}, {high, y}, "ps-whisker");
    // An end that is beyond the axis has no cap.
    if (interval.low >= axis_.low) svg_.line({low, y - kCap}, {low, y + kCap}, "ps-whisker");
    if (interval.high <= axis_.high) svg_.line({high, y - kCap}, {high, y + kCap}, "ps-whisker");
  }

  Svg& svg_;
  const IntervalChart& chart_;
  Span x_;
  Axis axis_;
};

}  // namespace

double draw_chart(Svg& svg, const IntervalChart& chart) {
  return IntervalDrawing(svg, chart).draw();
}

}  // namespace personascope::report
