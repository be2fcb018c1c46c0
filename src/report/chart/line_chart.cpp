#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "core/measure_text.hpp"
#include "report/chart/drawing.hpp"
#include "report/chart/frame.hpp"
#include "report/chart/text_size.hpp"

namespace personascope::report {
namespace {

constexpr double kLineChartHeight = 260;
constexpr std::size_t kMostNamedX = 12;  // that each have a tick

class LineDrawing {
 public:
  LineDrawing(Svg& svg, const LineChart& chart) : svg_(svg), chart_(chart) {}

  double draw() {
    double top = draw_chart_title(svg_, chart_.title);
    if (chart_.series.size() > 1) top = draw_names(top);
    if (!chart_.y_name.empty())
      svg_.text({kChartMargin, top + 10}, fit_text(chart_.y_name, kChartFont, 300), "ps-muted");
    y_ = {top + kLineChartHeight, top + 22};
    make_axes();
    draw_y_axis();
    const double bottom = draw_x_ticks();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_series(i);
    svg_.text({x_.at(0.5), bottom + 12}, fit_text(chart_.x_name, kChartFont, x_.length()),
              "ps-muted", Anchor::Middle);
    return bottom + 16 + kChartMargin;
  }

 private:
  double draw_names(double top) {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < chart_.series.size(); ++i)
      entries.push_back({fmt::format("ps-f{}", i % kSeriesColours), chart_.series[i].name});
    return draw_legend(svg_, entries, top);
  }

  void make_axes() {
    RangeOfValues ys;
    for (const LineChart::Series& series : chart_.series)
      for (const LineChart::Point& point : series.points) {
        if (std::isfinite(point.x)) xs_.insert(point.x);
        ys.add(only_finite(std::optional(point.y)));
        ys.add(only_finite(point.interval));
      }
    y_axis_ = chart_.scale ? make_axis(*chart_.scale, 6, Ends::Keep)
                           : make_axis(ys.range(), 6, Ends::Round);
    double widest = 0;
    for (const double tick : y_axis_.ticks)
      widest =
          std::max(widest, text_width(render_tick(y_axis_, tick, chart_.unit, false), kChartFont));
    x_ = {kChartMargin + widest + 14, kChartWidth - kChartMargin - 8};
    const core::Interval ends =
        xs_.empty() ? core::Interval{0, 1} : core::Interval{*xs_.begin(), *xs_.rbegin()};
    x_axis_ = make_axis(ends, count_ticks_that_fit(x_.length()), Ends::Keep);
    if (xs_.size() <= kMostNamedX && !xs_.empty()) {
      x_axis_.ticks.assign(xs_.begin(), xs_.end());
      drop_crowded_ticks();
    }
  }

  // Ticks at the points themselves, unless they are nearer than their labels.
  void drop_crowded_ticks() {
    std::vector<double> kept;
    for (const double tick : x_axis_.ticks)
      if (kept.empty() || x_of(tick) - x_of(kept.back()) > 30) kept.push_back(tick);
    x_axis_.ticks = std::move(kept);
  }

  double x_of(double value) const { return x_.at(x_axis_.position_of(value)); }
  double y_of(double value) const { return y_.at(y_axis_.position_of(value)); }

  void draw_y_axis() {
    for (const double tick : y_axis_.ticks) {
      svg_.line({x_.from, y_of(tick)}, {x_.to, y_of(tick)}, "ps-grid");
      svg_.text({x_.from - 8, y_of(tick) + 4}, render_tick(y_axis_, tick, chart_.unit, false),
                "ps-muted", Anchor::End);
    }
  }

  double draw_x_ticks() {
    svg_.line({x_.from, y_.from}, {x_.to, y_.from}, "ps-axis");
    for (const double tick : x_axis_.ticks) {
      svg_.line({x_of(tick), y_.from}, {x_of(tick), y_.from + 4}, "ps-axis");
      svg_.text({x_of(tick), y_.from + 18}, fmt::format("{:g}", tick), "ps-muted", Anchor::Middle);
    }
    return y_.from + 24;
  }

  void draw_series(std::size_t index) {
    const LineChart::Series& series = chart_.series[index];
    const std::size_t colour = index % kSeriesColours;
    std::vector<Svg::PointXy> line;
    std::vector<Svg::PointXy> upper;
    std::vector<Svg::PointXy> lower;
    for (const LineChart::Point& point : series.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      line.push_back({x_of(point.x), y_of(point.y)});
      if (const auto interval = only_finite(point.interval)) {
        upper.push_back({x_of(point.x), y_of(interval->high)});
        lower.push_back({x_of(point.x), y_of(interval->low)});
      }
    }
    // A band over a gap would claim what was not found.
    const bool has_band = upper.size() == line.size() && line.size() > 1;
    for (std::size_t i = 0; i < upper.size() && !has_band; ++i)
      svg_.line(lower[i], upper[i], "ps-whisker");
    if (has_band) {
      std::vector<Svg::PointXy> outline = upper;
      outline.insert(outline.end(), lower.rbegin(), lower.rend());
      svg_.polygons({outline}, fmt::format("ps-f{} ps-band", colour));
    }
    if (line.size() > 1) svg_.polyline(line, fmt::format("ps-line ps-l{}", colour));
    for (const LineChart::Point& point : series.points) draw_point(series, point, colour);
  }

  void draw_point(const LineChart::Series& series, const LineChart::Point& point,
                  std::size_t colour) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) return;
    MarkInfo mark = make_mark(fmt::format("{}, {} {:g}", series.name, chart_.x_name, point.x),
                              point.y, only_finite(point.interval), point.n, chart_.unit, false);
    mark.values.emplace_back("series", series.name);
    mark.values.emplace_back("x", render_datum(point.x));
    svg_.begin_mark(mark);
    svg_.circle({x_of(point.x), y_of(point.y)}, 3.5, fmt::format("ps-f{}", colour));
    svg_.end_mark();
  }

  Svg& svg_;
  const LineChart& chart_;
  std::set<double> xs_;
  Span x_;
  Span y_;  // from the bottom up
  Axis x_axis_;
  Axis y_axis_;
};

}  // namespace

double draw_chart(Svg& svg, const LineChart& chart) {
  return LineDrawing(svg, chart).draw();
}

}  // namespace personascope::report
