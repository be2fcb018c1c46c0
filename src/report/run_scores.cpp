#include "report/run_scores.hpp"

#include <limits>
#include <map>

#include "base/text.hpp"

namespace personascope::report {

Result<ScoreTable> load_run_scores(store::Store& store, std::int64_t run) {
  ASSIGN_OR_RETURN(const store::RunRecord record, store.load_run(run));
  if (record.state != store::RunState::Done)
    return fail(ErrorKind::Invalid, "run {} is not done; `personascope resume {}` goes on with it",
                run, run);
  ASSIGN_OR_RETURN(const auto units,
                   store.load_units(run, std::nullopt, std::numeric_limits<std::int64_t>::max()));
  ScoreTable table;
  table.columns.push_back({fmt::format("run {}", run), {}});
  std::map<std::string, std::size_t> clusters;
  bool has_scores = false;
  std::vector<std::string> keys;
  for (const store::UnitRecord& unit : units) {
    if (unit.item.starts_with("canary/")) continue;  // no item of the run's own
    const auto detail = parse_json(unit.detail);
    const auto score = detail ? find_number(*detail, "score") : std::nullopt;
    keys.push_back(detail ? find_text(*detail, "cluster").value_or("") : "");
    table.ids.push_back(unit.item);
    table.columns.front().cells.push_back(score);
    has_scores = has_scores || score;
  }
  if (!has_scores)
    return fail(ErrorKind::Invalid, "run {} has no scores: it is a {}", run,
                printable(record.command));
  bool is_clustered = true;
  for (std::size_t i = 0; i < keys.size(); ++i)
    is_clustered = is_clustered && (!keys[i].empty() || !table.columns.front().cells[i]);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    // What has no score is left out of every number, so its cluster does not matter.
    const std::string& key = is_clustered ? keys[i] : table.ids[i];
    table.clusters.push_back(clusters.try_emplace(key, clusters.size()).first->second);
  }
  if (is_clustered) table.cluster_column = "persona";
  return table;
}

Result<std::optional<stats::Scale>> load_run_scale(store::Store& store, std::int64_t run) {
  ASSIGN_OR_RETURN(const store::RunRecord record, store.load_run(run));
  const Json* scale = find_member(record.results, "scale");
  if (!scale || !scale->is_array() || scale->size() != 2 || !(*scale)[0].is_number() ||
      !(*scale)[1].is_number())
    return std::optional<stats::Scale>{};
  return std::optional(stats::Scale{(*scale)[0].get<double>(), (*scale)[1].get<double>()});
}

}  // namespace personascope::report
