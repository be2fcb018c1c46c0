#include "report/outcome_comparison.hpp"

#include <algorithm>
#include <unordered_map>

namespace personascope::report {
namespace {

constexpr core::Outcome kUnscored[] = {core::Outcome::Refused, core::Outcome::Empty,
                                       core::Outcome::Abstained, core::Outcome::Failed};

// 1 where an item ended so.
ScoreTable make_indicators(const ScoreTable& table, const OutcomeColumns& outcomes,
                           core::Outcome outcome) {
  ScoreTable indicators = table;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    for (std::size_t row = 0; row < table.rows(); ++row)
      indicators.columns[i].cells[row] = outcomes[i][row] == outcome ? 1 : 0;
  return indicators;
}

}  // namespace

std::vector<core::Outcome> align_outcomes(const std::vector<std::string>& items,
                                          const std::vector<std::string>& ids,
                                          const std::vector<core::Outcome>& outcomes) {
  std::unordered_map<std::string_view, core::Outcome> known;
  for (std::size_t i = 0; i < ids.size(); ++i) known.emplace(ids[i], outcomes[i]);
  std::vector<core::Outcome> aligned;
  for (const std::string& item : items) aligned.push_back(known.at(item));
  return aligned;
}

Result<std::vector<OutcomeComparison>> compare_outcomes(const ScoreTable& table,
                                                        const OutcomeColumns& outcomes,
                                                        const CompareOptions& options) {
  std::vector<OutcomeComparison> compared;
  CompareOptions own = options;
  own.scale = stats::kUnitScale;
  own.better = Better::Lower;
  for (const core::Outcome outcome : kUnscored) {
    const bool occurs = std::ranges::any_of(outcomes, [&](const auto& column) {
      return std::ranges::find(column, outcome) != column.end();
    });
    if (!occurs) continue;
    ASSIGN_OR_RETURN(Comparison rates,
                     compare_runs(make_indicators(table, outcomes, outcome), own));
    compared.push_back({outcome, std::move(rates)});
  }
  return compared;
}

std::vector<ScoreBounds> list_bounds(const ScoreTable& table, const stats::Scale& scale) {
  std::vector<ScoreBounds> bounds;
  for (const ScoreColumn& column : table.columns) {
    ScoreBounds own{column.name, 0, 0};
    for (const auto& cell : column.cells) {
      own.low += cell.value_or(scale.low);
      own.high += cell.value_or(scale.high);
    }
    const auto rows = static_cast<double>(std::max<std::size_t>(table.rows(), 1));
    own.low /= rows;
    own.high /= rows;
    bounds.push_back(std::move(own));
  }
  return bounds;
}

std::string_view name_of(Unscored unscored) {
  return unscored == Unscored::Worst ? "worst" : "drop";
}

std::size_t fill_unscored(ScoreTable& table, const OutcomeColumns& outcomes, double worst) {
  std::size_t filled = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    for (std::size_t row = 0; row < outcomes[i].size(); ++row) {
      const core::Outcome outcome = outcomes[i][row];
      const bool counts = outcome == core::Outcome::Refused || outcome == core::Outcome::Empty ||
                          outcome == core::Outcome::Abstained;
      auto& cell = table.columns[i].cells[row];
      if (!counts || cell) continue;
      cell = worst;
      ++filled;
    }
  return filled;
}

Json to_json(const std::vector<OutcomeComparison>& outcomes) {
  Json list = Json::array();
  for (const OutcomeComparison& one : outcomes) {
    Json rates = to_json(one.rates);
    list.push_back({{"outcome", core::name_of(one.outcome)},
                    {"runs", rates["runs"]},
                    {"differences", rates["differences"]}});
  }
  return list;
}

}  // namespace personascope::report
