#include "cli/findings_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "base/text.hpp"
#include "cli/banded_bar.hpp"
#include "cli/estimate_text.hpp"
#include "cli/forest_plot.hpp"
#include "cli/option_flags.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"
#include "core/measure_text.hpp"

namespace personascope::cli {
namespace {

using core::Metric;
using core::Outcome;

constexpr std::size_t kBar = 20;
constexpr std::size_t kWidestForest = 100;
constexpr std::size_t kLongestLabel = 40;  // beside a plot

std::optional<std::pair<double, double>> to_pair(const std::optional<core::Interval>& interval) {
  if (!interval) return std::nullopt;
  return std::pair(interval->low, interval->high);
}

std::string label_of(const Metric& metric) {
  return printable(metric.group.empty() ? metric.name : metric.group);
}

// A table of metrics, column by column: a column that says nothing is left out.
class MetricTable {
 public:
  explicit MetricTable(const core::MetricList& list) : list_(list) {
    for (const Metric& metric : list.metrics) {
      has_interval_ = has_interval_ || metric.interval;
      has_p_ = has_p_ || metric.p;
      has_adjusted_p_ = has_adjusted_p_ || metric.adjusted_p;
      is_scored_ = is_scored_ || metric.outcomes;
      has_n_ = has_n_ || metric.n > 0;
      one_unit_ = one_unit_ && metric.unit == list.metrics.front().unit &&
                  metric.is_difference == list.metrics.front().is_difference;
      for (const Outcome outcome : kUnscored)
        if (metric.outcomes && (*metric.outcomes)[outcome] > 0) {
          if (std::ranges::find(unscored_, outcome) == unscored_.end())
            unscored_.push_back(outcome);
          has_bounds_ = has_bounds_ || metric.bounds;
        }
    }
    has_bars_ = one_unit_ && list.metrics.size() > 1 && !list.metrics.front().is_difference &&
                list.metrics.front().unit == core::kShareUnit;
  }

  std::string render(const FindingsStyle& style) const {
    std::vector<std::string> headings{list_.heading, value_name()};
    std::vector<std::size_t> droppable;  // from the right
    const auto add = [&](bool is_shown, std::string heading, bool may_go) {
      if (!is_shown) return;
      if (may_go) droppable.insert(droppable.begin(), headings.size());
      headings.push_back(std::move(heading));
    };
    add(has_interval_, "95 % interval", false);
    add(is_scored_, "scored", true);
    for (const Outcome outcome : unscored_) add(true, std::string(core::name_of(outcome)), true);
    add(!is_scored_ && has_n_, "n", true);
    add(has_p_, "p", true);
    add(has_adjusted_p_, "adjusted p", true);
    add(has_bounds_, "bounds", true);
    add(has_bars_, "", true);
    std::vector<Align> aligns(headings.size(), Align::Right);
    aligns.front() = Align::Left;
    if (has_bars_) aligns.back() = Align::Left;
    Table table(std::move(headings), std::move(aligns));
    for (const Metric& metric : list_.metrics) table.add(make_row(metric));
    table.may_drop(std::move(droppable));
    table.may_shorten({0});
    return table.render(style.table_columns) + explain(style.columns);
  }

 private:
  static constexpr Outcome kUnscored[] = {Outcome::Abstained, Outcome::Refused, Outcome::Empty,
                                          Outcome::Failed};

  std::string value_name() const {
    const Metric& first = list_.metrics.front();
    if (!one_unit_) return "value";
    if (first.is_difference) return "difference";
    return first.unit == core::kNumberUnit ? "value" : first.unit;
  }

  std::vector<Cell> make_row(const Metric& metric) const {
    const Colour colour =
        metric.group.empty() && list_.metrics.size() > 1 ? Colour::Bold : Colour::None;
    std::vector<Cell> row{
        Cell(label_of(metric), colour),
        Cell(core::render_value(metric.value, metric.unit, metric.is_difference), colour)};
    if (has_interval_)
      row.emplace_back(core::render_interval(metric.interval, metric.unit, metric.is_difference));
    const auto count = [&](Outcome outcome) {
      return metric.outcomes ? render_count((*metric.outcomes)[outcome]) : "-";
    };
    if (is_scored_) row.emplace_back(count(Outcome::Scored));
    for (const Outcome outcome : unscored_) row.emplace_back(count(outcome));
    if (!is_scored_ && has_n_) row.emplace_back(metric.n > 0 ? render_count(metric.n) : "-");
    if (has_p_) row.emplace_back(render_p(metric.p));
    if (has_adjusted_p_) row.emplace_back(render_p(metric.adjusted_p));
    if (has_bounds_) row.emplace_back(core::render_interval(metric.bounds, metric.unit, false));
    if (has_bars_)
      row.emplace_back(
          metric.value ? render_banded_bar(*metric.value, to_pair(metric.interval), kBar) : "");
    return row;
  }

  // What the columns mean, and why one is not there.
  std::string explain(std::size_t columns) const {
    std::string text;
    if (!has_interval_) {
      const auto metric = std::ranges::find_if(
          list_.metrics, [](const Metric& one) { return !one.no_interval.empty(); });
      if (metric != list_.metrics.end())
        text += fmt::format("No 95 % interval ({}). ", printable(metric->no_interval));
    }
    if (has_bounds_)
      text += "Bounds: the mean if all items without a score had the lowest or the highest one. ";
    if (one_unit_ && list_.metrics.front().is_difference &&
        list_.metrics.front().unit == core::kShareUnit)
      text += "pp: percentage points. ";
    if (has_adjusted_p_) text += "Adjusted p: for the number of comparisons in this table. ";
    return wrap(trim(text), columns);
  }

  const core::MetricList& list_;
  bool has_interval_ = false;
  bool has_p_ = false;
  bool has_adjusted_p_ = false;
  bool is_scored_ = false;
  bool has_n_ = false;
  bool has_bounds_ = false;
  bool has_bars_ = false;
  bool one_unit_ = true;
  std::vector<Outcome> unscored_;
};

std::string render_part(const core::MetricList& list, const FindingsStyle& style) {
  std::string text = MetricTable(list).render(style);
  std::vector<ForestRow> drawn;
  for (const Metric& metric : list.metrics)
    if (metric.is_difference && metric.value)
      drawn.push_back(
          {shorten(label_of(metric), kLongestLabel), *metric.value, to_pair(metric.interval)});
  const bool is_forest = drawn.size() > 1 && drawn.size() == list.metrics.size();
  const auto render_end = [&](double value) {
    return core::render_value(value, list.metrics.front().unit, true);
  };
  if (is_forest)
    text += "\n" + render_forest(drawn, std::min(style.columns, kWidestForest), render_end);
  return text;
}

std::string render_part(const core::Table& table, const FindingsStyle& style) {
  std::vector<std::string> headings;
  std::vector<Align> aligns;
  std::vector<std::size_t> texts;
  for (const core::Column& column : table.columns) {
    if (column.unit.empty()) texts.push_back(headings.size());
    headings.push_back(printable(column.name));
    aligns.push_back(column.unit.empty() ? Align::Left : Align::Right);
  }
  Table shown(std::move(headings), std::move(aligns));
  shown.may_shorten(std::move(texts));
  for (const auto& row : table.rows) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const core::Column& column = table.columns[i];
      if (column.unit.empty()) {
        cells.emplace_back(printable(row[i].text));
        continue;
      }
      std::string text = core::render_value(row[i].number, column.unit, column.is_difference);
      if (row[i].interval)
        text += fmt::format(
            " ({})", core::render_interval(row[i].interval, column.unit, column.is_difference));
      cells.emplace_back(std::move(text));
    }
    shown.add(std::move(cells));
  }
  return shown.render(style.table_columns);
}

std::string render_part(const core::Curve& curve, const FindingsStyle& style) {
  const bool has_bars = curve.unit == core::kShareUnit;
  const bool has_intervals = std::ranges::any_of(
      curve.points, [](const auto& point) { return point.interval.has_value(); });
  std::vector<std::string> headings{printable(curve.x_name), printable(curve.y_name)};
  if (has_intervals) headings.emplace_back("95 % interval");
  headings.emplace_back("n");
  if (has_bars) headings.emplace_back("");
  std::vector<Align> aligns(headings.size(), Align::Right);
  if (has_bars) aligns.back() = Align::Left;
  Table table(std::move(headings), std::move(aligns));
  for (const core::Point& point : curve.points) {
    std::vector<Cell> row{fmt::format("{:g}", point.x),
                          core::render_value(point.y, curve.unit, false)};
    if (has_intervals) row.emplace_back(core::render_interval(point.interval, curve.unit, false));
    row.emplace_back(point.n > 0 ? render_count(point.n) : "-");
    if (has_bars) row.emplace_back(render_banded_bar(point.y, to_pair(point.interval), kBar));
    table.add(std::move(row));
  }
  return table.render(style.table_columns);
}

std::string render_part(const core::Matrix& matrix, const FindingsStyle& style) {
  std::vector<std::string> headings{
      fmt::format("{} \\ {}", printable(matrix.row_name), printable(matrix.column_name))};
  for (std::size_t i = 0; i < matrix.columns.size(); ++i) headings.push_back(std::to_string(i + 1));
  std::vector<Align> aligns(headings.size(), Align::Right);
  aligns.front() = Align::Left;
  Table table(std::move(headings), std::move(aligns));
  for (std::size_t row = 0; row < matrix.rows.size(); ++row) {
    std::vector<Cell> cells{fmt::format("{} {}", row + 1, printable(matrix.rows[row]))};
    for (const double cell : matrix.cells[row])
      cells.emplace_back(cell == 0 ? "." : fmt::format("{:.3g}", cell));
    table.add(std::move(cells));
  }
  table.may_shorten({0});
  return table.render(style.table_columns);
}

std::string render_facts(const core::Findings& findings, std::size_t columns) {
  std::size_t widest = 0;
  for (const core::Fact& fact : findings.facts) widest = std::max(widest, width(fact.name));
  std::string text;
  for (const core::Fact& fact : findings.facts) {
    const std::string lines = wrap(printable(fact.text), columns, widest + 2, LongWords::Keep);
    text += printable(fact.name) + lines.substr(std::min(width(fact.name), lines.size()));
  }
  return text;
}

std::string render_notes(const core::Findings& findings, const FindingsStyle& style) {
  constexpr std::string_view kMark = "note: ";
  std::string text;
  const std::size_t shown = std::min(findings.notes.size(), style.max_notes);
  for (std::size_t i = 0; i < shown; ++i) {
    const core::Note& note = findings.notes[i];
    const std::string sentence = printable(name_flags(
        note.subjects.empty() ? note.text
                              : fmt::format("{}: {}", join(note.subjects, "; "), note.text),
        {}));
    const Colour colour = note.severity == core::Severity::Warning ? Colour::Yellow : Colour::None;
    text += paint(stdout, colour, kMark) +
            wrap(sentence, style.columns, kMark.size(), LongWords::Keep).substr(kMark.size());
  }
  if (const std::size_t more = findings.notes.size() - shown; more > 0) {
    text += fmt::format("{} more note{}", render_count(static_cast<long long>(more)),
                        more == 1 ? "" : "s");
    text += style.all_notes.empty() ? "\n" : fmt::format(": {}\n", style.all_notes);
  }
  return text;
}

}  // namespace

std::string render_findings(const core::Findings& findings, const FindingsStyle& style) {
  std::string text = render_facts(findings, style.columns);
  for (const core::Part& part : findings.parts) {
    const auto render = [&](const auto& shape) {
      std::string lines = text.empty() ? "" : "\n";
      if (!shape.title.empty()) lines += paint(stdout, Colour::Bold, printable(shape.title)) + "\n";
      lines += render_part(shape, style);
      return lines + wrap(printable(shape.meaning), style.columns);
    };
    text += std::visit(render, part);
  }
  const std::string notes = render_notes(findings, style);
  return text + (text.empty() || notes.empty() ? "" : "\n") + notes;
}

}  // namespace personascope::cli
