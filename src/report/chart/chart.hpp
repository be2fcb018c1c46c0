// Charts of findings, drawn as SVG. The terminal's `plot`, reports and every other door show these.
//
// A chart is data: what is to be seen, without sizes and colours. render_svg() decides where things
// are. Texts may come from outside; they are cut to fit, escaped, and whole in the mark's title.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/metric.hpp"
#include "core/outcome.hpp"
#include "report/chart/svg.hpp"

namespace personascope::report {

enum class IntervalForm { Dots, Bars };

// Numbers with their intervals, a row each.
struct IntervalChart {
  struct Row {
    std::string label;
    std::optional<double> value;
    std::optional<core::Interval> interval;
    std::int64_t n = 0;  // 0: not known
    bool is_total = false;
  };
  std::string title;
  std::string unit;
  bool is_difference = false;           // there is a line at zero
  std::optional<core::Interval> scale;  // the ends of the axis; else from the values
  IntervalForm form = IntervalForm::Dots;
  std::vector<Row> rows;
};

// A colour for each pair of categories. Cells of fewer than kFewItems items are pale.
struct HeatMap {
  static constexpr std::int64_t kFewItems = 3;
  struct Cell {
    std::optional<double> value;
    std::int64_t n = 0;  // 0: not known
  };
  std::string title;
  std::string unit;
  std::string row_name;
  std::string column_name;
  std::optional<core::Interval> scale;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> cells;  // by row
};

// Lines over a number, each with its band of intervals.
struct LineChart {
  struct Point {
    double x = 0;
    double y = 0;
    std::optional<core::Interval> interval;
    std::int64_t n = 0;
  };
  struct Series {
    std::string name;
    std::vector<Point> points;  // by x
  };
  std::string title;
  std::string x_name;
  std::string y_name;
  std::string unit;
  std::optional<core::Interval> scale;
  std::vector<Series> series;
};

// How often which values occur, in a row for each group; all rows have the same axes.
struct Distribution {
  struct Group {
    std::string label;
    std::vector<double> values;
  };
  std::string title;
  std::string unit;
  std::optional<core::Interval> scale;
  std::vector<Group> groups;
};

// One number for each of three or more sides of a thing.
struct RadarChart {
  struct Spoke {
    std::string label;
    std::optional<double> value;
    std::optional<core::Interval> interval;
    std::int64_t n = 0;
  };
  std::string title;
  std::string unit;
  core::Interval scale{0, 1};
  std::vector<Spoke> spokes;
};

// How the items ended, a bar for each group.
struct OutcomeBars {
  struct Row {
    std::string label;
    core::OutcomeCounts counts;
  };
  std::string title;
  std::vector<Row> rows;
};

using Chart =
    std::variant<IntervalChart, HeatMap, LineChart, Distribution, RadarChart, OutcomeBars>;

// Where the chart will be: alone in a file, with its style, or inside a page that has chart_css().
enum class Place { File, Page };

struct ChartStyle {
  Theme theme = Theme::Light;  // of a file
  Place place = Place::File;
};

std::string render_svg(const Chart& chart, const ChartStyle& style);
const std::string& title_of(const Chart& chart);

}  // namespace personascope::report
