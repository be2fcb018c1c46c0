#include "report/chart/chart.hpp"

#include <fmt/format.h>

#include "core/measure_text.hpp"
#include "report/chart/drawing.hpp"
#include "report/chart/frame.hpp"

namespace personascope::report {
namespace {

std::string summarize_chart(const IntervalChart& chart) {
  return fmt::format("{} {} with their 95 % intervals, a row each.",
                     core::render_count(std::ssize(chart.rows)),
                     chart.is_difference ? "differences" : "values");
}

std::string summarize_chart(const HeatMap& chart) {
  return fmt::format("{} by {}: {} rows, {} columns.", chart.row_name, chart.column_name,
                     chart.rows.size(), chart.columns.size());
}

std::string summarize_chart(const LineChart& chart) {
  return fmt::format("{} over {}; bands are 95 % intervals.", chart.y_name, chart.x_name);
}

std::string summarize_chart(const Distribution& chart) {
  return fmt::format("How often which values occur, in {} groups.", chart.groups.size());
}

std::string summarize_chart(const RadarChart& chart) {
  return fmt::format("{} values on spokes; the band is the 95 % interval.", chart.spokes.size());
}

std::string summarize_chart(const OutcomeBars&) {
  return "How many items ended in which way.";
}

}  // namespace

std::string render_svg(const Chart& chart, const ChartStyle& style) {
  const auto render = [&](const auto& shape) {
    Svg svg;
    const double height = draw_chart(svg, shape);
    return svg.finish(kChartWidth, height, shape.title, summarize_chart(shape),
                      style.place == Place::File ? chart_css(style.theme) : "");
  };
  return std::visit(render, chart);
}

const std::string& title_of(const Chart& chart) {
  return std::visit([](const auto& shape) -> const std::string& { return shape.title; }, chart);
}

}  // namespace personascope::report
