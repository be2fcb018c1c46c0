#include "report/run_scores.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/json.hpp"
#include "base/text.hpp"

namespace personascope::report {
namespace {

Result<std::vector<core::ItemRecord>> load_items(store::Reader& reader, std::int64_t run) {
  ASSIGN_OR_RETURN(const store::RunRecord record, reader.load_run(run));
  if (record.state != store::RunState::Done)
    return fail(ErrorKind::Invalid, "run {} is not done; `personascope resume {}` continues it",
                run, run);
  ASSIGN_OR_RETURN(auto items, reader.load_items(run, {}));
  // No items of the run's own.
  std::erase_if(items, [](const core::ItemRecord& item) {
    return item.id.starts_with("canary/") || item.id.starts_with("control/") ||
           item.id.starts_with("probe/");
  });
  const bool has_scores = std::ranges::any_of(
      items, [](const core::ItemRecord& item) { return item.score || !item.scores.empty(); });
  if (!has_scores)
    return fail(ErrorKind::Invalid, "run {} has no scores: it is a run of {}", run,
                printable(record.command));
  return items;
}

// Ids and clusters; without clusters all items stand alone.
ScoreTable make_rows(const std::vector<core::ItemRecord>& items) {
  ScoreTable table;
  const bool is_clustered = std::ranges::none_of(
      items, [](const core::ItemRecord& item) { return item.cluster.empty(); });
  std::map<std::string, std::size_t> numbers;
  for (const core::ItemRecord& item : items) {
    table.ids.push_back(item.id);
    const std::string& key = is_clustered ? item.cluster : item.id;
    table.clusters.push_back(numbers.try_emplace(key, numbers.size()).first->second);
  }
  if (is_clustered) table.cluster_column = "persona";
  return table;
}

using Numbers = Json core::ItemRecord::*;

// The names in an object of every item, such as its judges, in order.
std::vector<std::string> list_names(const std::vector<core::ItemRecord>& items, Numbers member) {
  std::set<std::string> names;
  for (const core::ItemRecord& item : items)
    if (const Json& object = item.*member; object.is_object())
      for (const auto& [name, value] : object.items()) names.insert(name);
  return {names.begin(), names.end()};
}

Error describe_missing(std::int64_t run, const std::optional<std::string>& name,
                       const std::vector<std::string>& names) {
  if (names.empty())
    return {ErrorKind::Invalid, fmt::format("run {} has one score per item, and none called \"{}\"",
                                            run, printable(name.value_or("")))};
  return {ErrorKind::Invalid,
          fmt::format("run {} has several scores per item; choose one with `score`: {}", run,
                      printable(join(names, ", ")))};
}

}  // namespace

Result<ScoreTable> load_run_scores(store::Reader& reader, std::int64_t run,
                                   const std::optional<std::string>& name) {
  ASSIGN_OR_RETURN(const auto items, load_items(reader, run));
  const std::vector<std::string> names = list_names(items, &core::ItemRecord::scores);
  const bool has_several = !names.empty();
  if (has_several != name.has_value() || (name && std::ranges::find(names, *name) == names.end()))
    return std::unexpected(describe_missing(run, name, names));
  ScoreTable table = make_rows(items);
  table.columns.push_back({fmt::format("run {}", run), {}});
  for (const core::ItemRecord& item : items)
    table.columns.front().cells.push_back(name ? find_number(item.scores, *name) : item.score);
  return table;
}

Result<ScoreTable> load_panel_scores(store::Reader& reader, std::int64_t run) {
  ASSIGN_OR_RETURN(const auto items, load_items(reader, run));
  const std::vector<std::string> judges = list_names(items, &core::ItemRecord::judges);
  if (judges.size() < 2)
    return fail(ErrorKind::Invalid,
                "run {} had no panel of judges whose agreement could be measured; name a second "
                "run of the same items with another judge",
                run);
  ScoreTable table = make_rows(items);
  for (const std::string& judge : judges) {
    table.columns.push_back({judge, {}});
    for (const core::ItemRecord& item : items)
      table.columns.back().cells.push_back(find_number(item.judges, judge));
  }
  return table;
}

Result<std::optional<stats::Scale>> load_run_scale(store::Reader& reader, std::int64_t run,
                                                   const std::optional<std::string>& name) {
  ASSIGN_OR_RETURN(const store::RunRecord record, reader.load_run(run));
  const Json* owner = &record.results;
  if (name) owner = find_member(record.results, "dimensions");
  if (name && owner) owner = find_member(*owner, *name);
  const Json* scale = owner ? find_member(*owner, "scale") : nullptr;
  if (!scale || !scale->is_array() || scale->size() != 2 || !(*scale)[0].is_number() ||
      !(*scale)[1].is_number())
    return std::optional<stats::Scale>{};
  return std::optional(stats::Scale{(*scale)[0].get<double>(), (*scale)[1].get<double>()});
}

}  // namespace personascope::report
