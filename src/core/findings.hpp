// What a run found, in a few shapes that every evaluation fills. Whoever shows them (terminal,
// report, export, Python) needs to know the shapes and no evaluation.
//
// They are made from the stored results whenever they are shown, so that runs of older versions
// get them too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.hpp"
#include "core/metric.hpp"

namespace personascope::core {

inline constexpr int kFindingsVersion = 1;

// What was evaluated, and how: "model", "openai/gpt-4o".
struct Fact {
  std::string name;
  std::string text;
};

// Numbers of one kind beside each other, such as the score of every task.
struct MetricList {
  std::string title;
  std::string heading;  // what a row is: "task"
  std::vector<Metric> metrics;
  std::string meaning;  // what the numbers are, in a sentence for a newcomer; may be empty
};

struct Column {
  std::string name;
  std::string unit;  // as in Metric; empty: text
  bool is_difference = false;
};

// A number, with its interval if it has one, or a text.
struct Value {
  std::optional<double> number;
  std::optional<Interval> interval;
  std::string text;
};

// For what is not one number a row.
struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;  // each as long as `columns`
  std::string meaning;
};

struct Point {
  double x = 0;
  double y = 0;
  std::optional<Interval> interval;  // of y
  std::int64_t n = 0;
};

struct Curve {
  std::string title;
  std::string x_name;
  std::string y_name;
  std::string unit;  // of y
  std::vector<Point> points;
  std::string meaning;
};

// Counts or shares by two categories; the rows and columns may be of different kinds.
struct Matrix {
  std::string title;
  std::string row_name;
  std::string column_name;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> cells;  // by row
  std::string meaning;
};

using Part = std::variant<MetricList, Table, Curve, Matrix>;

enum class Severity { Info, Warning };

struct Note {
  Severity severity = Severity::Info;
  std::vector<std::string> subjects;  // what it is about: tasks, judges; empty: everything
  std::string text;                   // a sentence; options are in backquotes
};

struct Findings {
  std::string evaluation;  // "gym", "bench/loo"
  std::optional<Metric> headline;
  std::vector<Fact> facts;
  std::vector<Part> parts;  // in the order to be shown
  std::vector<Note> notes;  // warnings first

  // Leaves out what is empty.
  void add_fact(std::string name, std::string text);
  void add(MetricList list);
  void add(Table table);
  void add(Curve curve);
  void add(Matrix matrix);
  // A note about several things with the same words is one note.
  void add_note(Severity severity, std::string text, std::string subject = "");

  bool empty() const { return facts.empty() && parts.empty() && notes.empty(); }
};

struct NamedMetric {
  std::string part;  // the title of the part that it stands in
  Metric metric;
};

// Every number of the findings in the same form, for tables of numbers: a cell of a table is named
// by its column and grouped by the texts of its row, a point of a curve by its x.
std::vector<NamedMetric> list_metrics(const Findings& findings);

// {"version", "evaluation", "headline", "facts", "parts", "notes"}; a part has its "shape":
// "metrics", "table", "curve" or "matrix".
Json to_json(const Findings& findings);

}  // namespace personascope::core
