// One function for each kind of chart; each draws it and returns its height. The width is
// kChartWidth.
#pragma once

#include "report/chart/chart.hpp"
#include "report/chart/svg.hpp"

namespace personascope::report {

double draw_chart(Svg& svg, const IntervalChart& chart);
double draw_chart(Svg& svg, const HeatMap& chart);
double draw_chart(Svg& svg, const LineChart& chart);
double draw_chart(Svg& svg, const Distribution& chart);
double draw_chart(Svg& svg, const RadarChart& chart);
double draw_chart(Svg& svg, const OutcomeBars& chart);

}  // namespace personascope::report
