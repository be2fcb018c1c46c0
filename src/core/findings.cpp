#include "core/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace personascope::core {
namespace {

Json to_json(const Value& value) {
  if (!value.number) return value.text.empty() ? Json(nullptr) : Json(value.text);
  if (!value.interval) return *value.number;
  return {{"value", *value.number}, {"interval", to_json(value.interval)}};
}

Json to_json(const MetricList& list) {
  Json value = {{"shape", "metrics"}, {"title", list.title}, {"heading", list.heading}};
  value["metrics"] = Json::array();
  for (const Metric& metric : list.metrics) value["metrics"].push_back(to_json(metric));
  return value;
}

Json to_json(const Table& table) {
  Json value = {{"shape", "table"}, {"title", table.title}};
  value["columns"] = value["rows"] = Json::array();
  for (const Column& column : table.columns)
    value["columns"].push_back({{"name", column.name},
                                {"unit", column.unit.empty() ? "text" : column.unit},
                                {"is_difference", column.is_difference}});
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const Value& cell : row) cells.push_back(to_json(cell));
    value["rows"].push_back(std::move(cells));
  }
  return value;
}

Json to_json(const Curve& curve) {
  Json value = {{"shape", "curve"},  {"title", curve.title}, {"x", curve.x_name},
                {"y", curve.y_name}, {"unit", curve.unit},   {"points", Json::array()}};
  for (const Point& point : curve.points)
    value["points"].push_back(
        {{"x", point.x}, {"y", point.y}, {"interval", to_json(point.interval)}, {"n", point.n}});
  return value;
}

Json to_json(const Matrix& matrix) {
  return {{"shape", "matrix"},           {"title", matrix.title},
          {"row_name", matrix.row_name}, {"column_name", matrix.column_name},
          {"rows", matrix.rows},         {"columns", matrix.columns},
          {"cells", matrix.cells}};
}

Metric make_metric(const std::string& name, std::string group, const std::string& unit,
                   const std::optional<double>& value, const std::optional<Interval>& interval) {
  Metric metric;
  metric.name = name;
  metric.group = std::move(group);
  metric.unit = unit;
  metric.value = value;
  metric.interval = interval;
  return metric;
}

void list_metrics_of(const MetricList& list, std::vector<NamedMetric>& metrics) {
  for (const Metric& metric : list.metrics) metrics.push_back({list.title, metric});
}

void list_metrics_of(const Table& table, std::vector<NamedMetric>& metrics) {
  for (const auto& row : table.rows) {
    std::string group;
    for (const Value& cell : row)
      if (!cell.number && !cell.text.empty()) group += (group.empty() ? "" : ", ") + cell.text;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!row[i].number) continue;
      const Column& column = table.columns[i];
      metrics.push_back({table.title, make_metric(column.name, group, column.unit, row[i].number,
                                                  row[i].interval)});
      metrics.back().metric.is_difference = column.is_difference;
    }
  }
}

void list_metrics_of(const Curve& curve, std::vector<NamedMetric>& metrics) {
  for (const Point& point : curve.points) {
    metrics.push_back(
        {curve.title, make_metric(curve.y_name, fmt::format("{} = {:g}", curve.x_name, point.x),
                                  curve.unit, point.y, point.interval)});
    metrics.back().metric.n = point.n;
  }
}

void list_metrics_of(const Matrix& matrix, std::vector<NamedMetric>& metrics) {
  for (std::size_t row = 0; row < matrix.rows.size(); ++row)
    for (std::size_t column = 0; column < matrix.columns.size(); ++column)
      metrics.push_back({matrix.title, make_metric(matrix.columns[column], matrix.rows[row],
                                                   kCountUnit, matrix.cells[row][column], {})});
}

}  // namespace

std::vector<NamedMetric> list_metrics(const Findings& findings) {
  std::vector<NamedMetric> metrics;
  for (const Part& part : findings.parts)
    std::visit([&](const auto& shape) { list_metrics_of(shape, metrics); }, part);
  return metrics;
}

void Findings::add_fact(std::string name, std::string text) {
  if (!text.empty()) facts.push_back({std::move(name), std::move(text)});
}

void Findings::add(MetricList list) {
  if (!list.metrics.empty()) parts.emplace_back(std::move(list));
}

void Findings::add(Table table) {
  if (!table.rows.empty()) parts.emplace_back(std::move(table));
}

void Findings::add(Curve curve) {
  if (!curve.points.empty()) parts.emplace_back(std::move(curve));
}

void Findings::add(Matrix matrix) {
  if (!matrix.rows.empty()) parts.emplace_back(std::move(matrix));
}

void Findings::add_note(Severity severity, std::string text, std::string subject) {
  if (text.empty()) return;
  for (Note& note : notes) {
    if (note.text != text) continue;
    if (subject.empty())
      note.subjects.clear();
    else if (!note.subjects.empty() &&
             std::ranges::find(note.subjects, subject) == note.subjects.end())
      note.subjects.push_back(std::move(subject));
    return;
  }
  const auto place =
      std::ranges::find_if(notes, [&](const Note& note) { return note.severity < severity; });
  Note note{severity, {}, std::move(text)};
  if (!subject.empty()) note.subjects.push_back(std::move(subject));
  notes.insert(place, std::move(note));
}

Json to_json(const Findings& findings) {
  Json value = {{"version", kFindingsVersion}, {"evaluation", findings.evaluation},
                {"headline", nullptr},         {"facts", Json::array()},
                {"parts", Json::array()},      {"notes", Json::array()}};
  if (findings.headline) value["headline"] = to_json(*findings.headline);
  for (const Fact& fact : findings.facts)
    value["facts"].push_back({{"name", fact.name}, {"text", fact.text}});
  for (const Part& part : findings.parts) {
    value["parts"].push_back(std::visit(
        [](const auto& shape) {
          Json described = to_json(shape);
          described["meaning"] = shape.meaning;
          return described;
        },
        part));
  }
  for (const Note& note : findings.notes)
    value["notes"].push_back({{"severity", note.severity == Severity::Warning ? "warning" : "info"},
                              {"subjects", note.subjects},
                              {"text", note.text}});
  return value;
}

}  // namespace personascope::core
