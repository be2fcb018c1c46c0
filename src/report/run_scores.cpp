#include "report/run_scores.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "base/json.hpp"
#include "base/text.hpp"

namespace personascope::report {
namespace {

// An item and what its command wrote about it; null where it has no score.
struct StoredItem {
  std::string id;
  Json detail;
};

Result<std::vector<StoredItem>> load_items(store::Store& store, std::int64_t run) {
  ASSIGN_OR_RETURN(const store::RunRecord record, store.load_run(run));
  if (record.state != store::RunState::Done)
    return fail(ErrorKind::Invalid, "run {} is not done; `personascope resume {}` goes on with it",
                run, run);
  ASSIGN_OR_RETURN(const auto units,
                   store.load_units(run, std::nullopt, std::numeric_limits<std::int64_t>::max()));
  std::vector<StoredItem> items;
  bool has_scores = false;
  for (const store::UnitRecord& unit : units) {
    // No items of the run's own.
    if (unit.item.starts_with("canary/") || unit.item.starts_with("control/")) continue;
    auto detail = parse_json(unit.detail);
    if (!detail || !detail->is_object()) detail = Json(nullptr);
    has_scores = has_scores || find_member(*detail, "score") || find_member(*detail, "scores");
    items.push_back({unit.item, std::move(*detail)});
  }
  if (!has_scores)
    return fail(ErrorKind::Invalid, "run {} has no scores: it is one of {}", run,
                printable(record.command));
  return items;
}

// Ids and clusters. What has no cluster has no score either, or all items stand alone.
ScoreTable make_rows(const std::vector<StoredItem>& items) {
  ScoreTable table;
  bool is_clustered = true;
  std::vector<std::string> keys;
  for (const StoredItem& item : items) {
    table.ids.push_back(item.id);
    keys.push_back(find_text(item.detail, "cluster").value_or(""));
    is_clustered = is_clustered && (!keys.back().empty() || item.detail.is_null());
  }
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string& key = is_clustered ? keys[i] : table.ids[i];
    table.clusters.push_back(numbers.try_emplace(key, numbers.size()).first->second);
  }
  if (is_clustered) table.cluster_column = "persona";
  return table;
}

// The names in an object of every item, such as its judges, in order.
std::vector<std::string> list_names(const std::vector<StoredItem>& items, const char* member) {
  std::map<std::string, bool> names;
  for (const StoredItem& item : items)
    if (const Json* object = find_member(item.detail, member); object && object->is_object())
      for (const auto& [name, value] : object->items()) names[name] = true;
  std::vector<std::string> list;
  for (const auto& [name, known] : names) list.push_back(name);
  return list;
}

std::optional<double> find_named(const StoredItem& item, const char* member,
                                 const std::string& name) {
  const Json* object = find_member(item.detail, member);
  return object ? find_number(*object, name) : std::nullopt;
}

Error describe_missing(std::int64_t run, const std::optional<std::string>& name,
                       const std::vector<std::string>& names) {
  if (names.empty())
    return {ErrorKind::Invalid, fmt::format("run {} has one score an item, and none called \"{}\"",
                                            run, printable(name.value_or("")))};
  return {ErrorKind::Invalid,
          fmt::format("run {} has several scores an item; choose one with --score: {}", run,
                      printable(join(names, ", ")))};
}

}  // namespace

Result<ScoreTable> load_run_scores(store::Store& store, std::int64_t run,
                                   const std::optional<std::string>& name) {
  ASSIGN_OR_RETURN(const auto items, load_items(store, run));
  const std::vector<std::string> names = list_names(items, "scores");
  const bool has_several = !names.empty();
  if (has_several != name.has_value() || (name && std::ranges::find(names, *name) == names.end()))
    return std::unexpected(describe_missing(run, name, names));
  ScoreTable table = make_rows(items);
  table.columns.push_back({fmt::format("run {}", run), {}});
  for (const StoredItem& item : items)
    table.columns.front().cells.push_back(name ? find_named(item, "scores", *name)
                                               : find_number(item.detail, "score"));
  return table;
}

Result<ScoreTable> load_panel_scores(store::Store& store, std::int64_t run) {
  ASSIGN_OR_RETURN(const auto items, load_items(store, run));
  const std::vector<std::string> judges = list_names(items, "judges");
  if (judges.size() < 2)
    return fail(ErrorKind::Invalid,
                "run {} had no panel of judges whose agreement could be measured; name a second "
                "run of the same items, judged by another",
                run);
  ScoreTable table = make_rows(items);
  for (const std::string& judge : judges) {
    table.columns.push_back({judge, {}});
    for (const StoredItem& item : items)
      table.columns.back().cells.push_back(find_named(item, "judges", judge));
  }
  return table;
}

Result<std::optional<stats::Scale>> load_run_scale(store::Store& store, std::int64_t run,
                                                   const std::optional<std::string>& name) {
  ASSIGN_OR_RETURN(const store::RunRecord record, store.load_run(run));
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
