#include "report/document/findings_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.hpp"
#include "core/measure_text.hpp"

namespace personascope::report {
namespace {

using core::Metric;

std::string write_p(const std::optional<double>& p) {
  if (!p) return "-";
  return *p < 0.001 ? "<0.001" : fmt::format("{:.3f}", *p);
}

}  // namespace

TableBlock tabulate(const core::MetricList& list) {
  struct Column {
    const char* name;
    std::function<bool(const Metric&)> has;
    std::function<std::string(const Metric&)> write;
  };
  const std::vector<Column> columns{
      {"value", [](const Metric&) { return true; },
       [](const Metric& m) { return core::render_value(m.value, m.unit, m.is_difference); }},
      {"95 % interval", [](const Metric& m) { return m.interval || !m.no_interval.empty(); },
       [](const Metric& m) {
         return !m.interval && !m.no_interval.empty()
                    ? fmt::format("none ({})", m.no_interval)
                    : core::render_interval(m.interval, m.unit, m.is_difference);
       }},
      {"n", [](const Metric& m) { return m.n > 0; },
       [](const Metric& m) { return m.n > 0 ? core::render_count(m.n) : "-"; }},
      {"outcomes", [](const Metric& m) { return m.outcomes && m.outcomes->total() > 0; },
       [](const Metric& m) { return m.outcomes ? describe_counts(*m.outcomes) : "-"; }},
      {"p", [](const Metric& m) { return m.p.has_value(); },
       [](const Metric& m) { return write_p(m.p); }},
      {"adjusted p", [](const Metric& m) { return m.adjusted_p.has_value(); },
       [](const Metric& m) { return write_p(m.adjusted_p); }},
      {"bounds", [](const Metric& m) { return m.bounds.has_value(); },
       [](const Metric& m) { return core::render_interval(m.bounds, m.unit, false); }}};
  TableBlock table{list.title, {list.heading}, {false}, {}, list.meaning};
  table.rows.resize(list.metrics.size());
  for (std::size_t i = 0; i < list.metrics.size(); ++i)
    table.rows[i].push_back(list.metrics[i].group.empty() ? list.metrics[i].name
                                                          : list.metrics[i].group);
  for (const Column& column : columns) {
    if (std::ranges::none_of(list.metrics, column.has)) continue;
    table.headings.emplace_back(column.name);
    table.is_number.push_back(std::string_view(column.name) != "outcomes");
    for (std::size_t i = 0; i < list.metrics.size(); ++i)
      table.rows[i].push_back(column.write(list.metrics[i]));
  }
  return table;
}

TableBlock tabulate(const core::Table& part) {
  TableBlock table{part.title, {}, {}, {}, part.meaning};
  for (const core::Column& column : part.columns) {
    table.headings.push_back(column.name);
    table.is_number.push_back(!column.unit.empty());
  }
  for (const auto& row : part.rows) {
    auto& cells = table.rows.emplace_back();
    for (std::size_t i = 0; i < row.size() && i < part.columns.size(); ++i) {
      const core::Column& column = part.columns[i];
      if (column.unit.empty()) {
        cells.push_back(row[i].text);
        continue;
      }
      std::string text = core::render_value(row[i].number, column.unit, column.is_difference);
      if (row[i].interval)
        text += fmt::format(
            " ({})", core::render_interval(row[i].interval, column.unit, column.is_difference));
      cells.push_back(std::move(text));
    }
  }
  return table;
}

TableBlock tabulate(const core::Curve& curve) {
  TableBlock table{curve.title,
                   {curve.x_name, curve.y_name, "95 % interval", "n"},
                   {true, true, true, true},
                   {},
                   curve.meaning};
  for (const core::Point& point : curve.points)
    table.rows.push_back({fmt::format("{:g}", point.x),
                          core::render_value(point.y, curve.unit, false),
                          core::render_interval(point.interval, curve.unit, false),
                          point.n > 0 ? core::render_count(point.n) : "-"});
  return table;
}

TableBlock tabulate(const core::Matrix& matrix) {
  TableBlock table{matrix.title,
                   {fmt::format("{} \\ {}", matrix.row_name, matrix.column_name)},
                   {false},
                   {},
                   matrix.meaning};
  for (const std::string& column : matrix.columns) {
    table.headings.push_back(column);
    table.is_number.push_back(true);
  }
  for (std::size_t row = 0; row < matrix.rows.size() && row < matrix.cells.size(); ++row) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(matrix.rows[row]);
    for (const double cell : matrix.cells[row]) cells.push_back(fmt::format("{:.3g}", cell));
  }
  return table;
}

TableBlock tabulate(const core::Part& part) {
  return std::visit([](const auto& shape) { return tabulate(shape); }, part);
}

std::string describe_metric(const Metric& metric) {
  std::string text = core::render_value(metric.value, metric.unit, metric.is_difference);
  if (metric.interval)
    text += fmt::format(" (95 % interval {})",
                        core::render_interval(metric.interval, metric.unit, metric.is_difference));
  else if (!metric.no_interval.empty())
    text += fmt::format(" (no 95 % interval: {})", metric.no_interval);
  return text;
}

std::string describe_counts(const core::OutcomeCounts& counts) {
  std::vector<std::string> parts;
  for (const core::Outcome outcome : core::kOutcomes)
    if (counts[outcome] > 0)
      parts.push_back(
          fmt::format("{} {}", core::render_count(counts[outcome]), core::name_of(outcome)));
  return parts.empty() ? "none" : join(parts, ", ");
}

}  // namespace personascope::report
