#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/measure_text.hpp"
#include "report/chart/drawing.hpp"
#include "report/chart/frame.hpp"
#include "report/chart/text_size.hpp"

namespace personascope::report {
namespace {

constexpr double kRadius = 130;
constexpr double kSpokeLabel = 150;  // the widest
constexpr double kLabelLine = 15;

class RadarDrawing {
 public:
  RadarDrawing(Svg& svg, const RadarChart& chart)
      : svg_(svg), chart_(chart), axis_(make_axis(chart.scale, 5, Ends::Keep)) {}

  double draw() {
    const double top = draw_chart_title(svg_, chart_.title);
    center_ = {kChartWidth / 2, top + kRadius + 3 * kLabelLine};
    draw_rings();
    draw_band();
    draw_outline();
    for (std::size_t i = 0; i < chart_.spokes.size(); ++i) draw_spoke(i);
    return center_.y + kRadius + 3 * kLabelLine + kChartMargin;
  }

 private:
  Svg::PointXy point_at(std::size_t spoke, double radius) const {
    const double angle = 2 * std::numbers::pi * static_cast<double>(spoke) /
                             static_cast<double>(chart_.spokes.size()) -
                         std::numbers::pi / 2;
    return {center_.x + radius * std::cos(angle), center_.y + radius * std::sin(angle)};
  }
  Svg::PointXy point_of(std::size_t spoke, double value) const {
    return point_at(spoke, kRadius * axis_.position_of(value));
  }

  void draw_rings() {
    for (const double tick : axis_.ticks) {
      std::vector<Svg::PointXy> ring;
      for (std::size_t i = 0; i < chart_.spokes.size(); ++i) ring.push_back(point_of(i, tick));
      if (!ring.empty()) ring.push_back(ring.front());
      svg_.polyline(ring, "ps-grid");
    }
    for (std::size_t i = 0; i < chart_.spokes.size(); ++i)
      svg_.line(center_, point_at(i, kRadius), "ps-grid");
    for (const double tick : axis_.ticks)
      svg_.text({center_.x + 4, point_of(0, tick).y - 3},
                render_tick(axis_, tick, chart_.unit, false), "ps-muted ps-small");
  }

  void draw_band() {
    std::vector<Svg::PointXy> low;
    std::vector<Svg::PointXy> high;
    for (std::size_t i = 0; i < chart_.spokes.size(); ++i)
      if (const auto interval = only_finite(chart_.spokes[i].interval)) {
        low.push_back(point_of(i, interval->low));
        high.push_back(point_of(i, interval->high));
      }
    if (low.size() == chart_.spokes.size() && !low.empty())
      svg_.polygons({high, low}, "ps-f0 ps-band");
  }

  // Closed only if every spoke has a value.
  void draw_outline() {
    std::vector<Svg::PointXy> line;
    for (std::size_t i = 0; i < chart_.spokes.size(); ++i)
      if (const auto value = only_finite(chart_.spokes[i].value))
        line.push_back(point_of(i, *value));
    if (line.size() < chart_.spokes.size() || line.empty()) return;
    line.push_back(line.front());
    svg_.polyline(line, "ps-line ps-l0");
  }

  void draw_spoke(std::size_t i) {
    const RadarChart::Spoke& spoke = chart_.spokes[i];
    const auto value = only_finite(spoke.value);
    svg_.begin_mark(
        make_mark(spoke.label, value, only_finite(spoke.interval), spoke.n, chart_.unit, false));
    if (value) svg_.circle(point_of(i, *value), 4, "ps-f0");
    const Svg::PointXy at = point_at(i, kRadius + 14);
    const double side = at.x - center_.x;
    const Anchor anchor = std::abs(side) < 5 ? Anchor::Middle
                          : side > 0         ? Anchor::Start
                                             : Anchor::End;
    auto lines = break_text(spoke.label, kChartFont, kSpokeLabel, 2);
    lines.push_back(core::render_value(value, chart_.unit, false));
    // Above the middle a label ends at its place, below it starts there.
    const double height = kLabelLine * static_cast<double>(lines.size());
    const double share = (at.y - center_.y) / (kRadius + 14);
    double y = at.y + 4 - height / 2 + share * height / 2 + kLabelLine / 2 - 2;
    for (std::size_t n = 0; n < lines.size(); ++n, y += kLabelLine)
      svg_.text({at.x, y}, lines[n], n + 1 == lines.size() ? "ps-muted" : "ps-text", anchor);
    svg_.end_mark();
  }

  Svg& svg_;
  const RadarChart& chart_;
  Axis axis_;
  Svg::PointXy center_;
};

}  // namespace

double draw_chart(Svg& svg, const RadarChart& chart) {
  return RadarDrawing(svg, chart).draw();
}

}  // namespace personascope::report
