// Intersectionality: rates by population, shrunk and raw, each against everyone else.
#include <algorithm>
#include <cmath>

#include "eval/persona_bench/findings.hpp"
#include "stats/clustered.hpp"
#include "stats/distribution.hpp"
#include "stats/shrinkage.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::size_t kFewestPersonas = 5;
constexpr std::size_t kFew = 10;  // personas below which a rate is no finding

struct Cell {
  std::size_t personas = 0;  // in the run
  Scores members;            // clustered by persona, who are in or out as a whole
  Scores others;
};

// The members' mean minus the others': independent groups, each with its clustered error, by
// Welch's t.
Json describe_gap(const Cell& cell) {
  Json gap = {{"delta", nullptr}, {"ci95", nullptr}, {"p", nullptr}};
  const stats::IntervalOptions options{.scale = stats::kUnitScale};
  if (cell.members.values.empty() || cell.others.values.empty()) return gap;
  const auto in =
      stats::clustered_mean(cell.members.values, keys_of(cell.members.clusters).personas, options);
  const auto out =
      stats::clustered_mean(cell.others.values, keys_of(cell.others.clusters).personas, options);
  if (!in || !out) return gap;
  const double delta = in->value - out->value;
  gap["delta"] = delta;
  if (in->clusters < kFewestPersonas || out->clusters < kFewestPersonas) return gap;
  const double first = *in->standard_error * *in->standard_error;
  const double second = *out->standard_error * *out->standard_error;
  const double variance = first + second;
  if (!(variance > 0)) {
    // Each group has one score only: of all ways to divide the personas, this one or its mirror.
    const double more = static_cast<double>(in->clusters + out->clusters);
    const double ways =
        std::exp(std::lgamma(more + 1) - std::lgamma(static_cast<double>(in->clusters) + 1) -
                 std::lgamma(static_cast<double>(out->clusters) + 1));
    gap["p"] = delta == 0 ? 1 : std::min(1.0, 2 / ways);
    return gap;
  }
  const double df = variance * variance / (first * first / *in->df + second * second / *out->df);
  const double error = std::sqrt(variance);
  gap["standard_error"] = error;
  gap["df"] = df;
  const double half = stats::t_quantile(0.975, df) * error;
  gap["ci95"] = {std::max(-1.0, delta - half), std::min(1.0, delta + half)};
  gap["p"] = stats::t_two_sided_p(delta / error, df);
  return gap;
}

std::vector<Cell> make_cells(const Findings& findings,
                             const std::vector<std::vector<bool>>& members) {
  std::vector<Cell> cells(members.size());
  std::vector<bool> is_asked(findings.data.personas.size(), false);
  for (std::size_t i = 0; i < findings.trials.size(); ++i) {
    const std::size_t persona = findings.trials[i].persona;
    const bool is_new = !is_asked[persona];
    is_asked[persona] = true;
    const core::Verdict& verdict = findings.graded[i].verdict;
    for (std::size_t population = 0; population < cells.size(); ++population) {
      const bool is_member = members[population][persona];
      if (is_new && is_member) ++cells[population].personas;
      if (!core::is_scored(verdict)) continue;
      Scores& scores = is_member ? cells[population].members : cells[population].others;
      scores.add(verdict.score, persona);
    }
  }
  return cells;
}

Json describe_overlaps(const Findings& findings, const std::vector<std::vector<bool>>& members) {
  std::vector<bool> is_asked(findings.data.personas.size(), false);
  for (const Trial& trial : findings.trials) is_asked[trial.persona] = true;
  Json overlaps = Json::array();
  for (std::size_t second = 1; second < members.size(); ++second)
    for (std::size_t first = 0; first < second; ++first) {
      std::size_t both = 0;
      for (std::size_t persona = 0; persona < is_asked.size(); ++persona)
        if (is_asked[persona] && members[first][persona] && members[second][persona]) ++both;
      if (both > 0)
        overlaps.push_back(
            {{"populations",
              {findings.plan.populations[first].name, findings.plan.populations[second].name}},
             {"personas", both}});
    }
  return overlaps;
}

void add_shrunk(const std::vector<Cell>& cells, Json& rows) {
  std::vector<stats::RateCell> rates;
  for (const Cell& cell : cells) {
    stats::RateCell rate{0, cell.members.values.size()};
    for (const double score : cell.members.values) rate.successes += score == 1 ? 1 : 0;
    rates.push_back(rate);
  }
  const auto shrunk = stats::shrink_rates(rates);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rows[i]["shrunk"] = nullptr;
    if (!shrunk || rates[i].n == 0) continue;
    rows[i]["shrunk"] = shrunk->cells[i].value;
    const auto& interval = shrunk->cells[i].interval;
    if (interval) rows[i]["shrunk_ci95"] = {interval->low, interval->high};
  }
}

}  // namespace

void add_populations(const Findings& findings, Json& value) {
  const auto& populations = findings.plan.populations;
  const auto members = match(populations, findings.data.personas);
  const std::vector<Cell> cells = make_cells(findings, members);
  Json rows = Json::array();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Json rate = describe_mean(cells[i].members);
    const Json rest = describe_mean(cells[i].others);
    Json row = describe_gap(cells[i]);
    row["gap_ci95"] = row["ci95"];
    row["name"] = populations[i].name;
    row["personas"] = cells[i].personas;
    row["n"] = rate["n"];
    row["rate"] = rate["mean"];
    row["ci95"] = rate["ci95"];
    row["complement"] = {{"n", rest["n"]}, {"rate", rest["mean"]}, {"ci95", rest["ci95"]}};
    rows.push_back(std::move(row));
    if (cells[i].personas == 0)
      value["notes"].push_back(fmt::format("no persona of this run is in {}", populations[i].name));
    else if (cells[i].personas < kFew)
      value["notes"].push_back(fmt::format("{} has {} personas in this run: too few for a finding",
                                           populations[i].name, cells[i].personas));
  }
  add_shrunk(cells, rows);
  add_holm(rows, "gap_ci95");
  Json overlaps = describe_overlaps(findings, members);
  value["disjoint"] = overlaps.empty();
  if (!overlaps.empty())
    value["notes"].push_back("populations overlap, so their rates are not independent");
  value["populations"] = std::move(rows);
  value["overlaps"] = std::move(overlaps);
}

}  // namespace personascope::eval::persona_bench
