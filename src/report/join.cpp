#include "report/join.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "base/text.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kMostExamples = 3;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Which columns of a file hold id and score.
Result<TableChoice> choose_columns(const std::string& path, const JoinChoice& choice) {
  ASSIGN_OR_RETURN(const auto names, load_column_names(path));
  TableChoice chosen;
  if (choice.cluster && contains(names, *choice.cluster)) chosen.cluster = choice.cluster;
  chosen.id = choice.id;
  if (!chosen.id) {
    std::vector<std::string> taken{choice.score.value_or("score")};
    if (chosen.cluster) taken.push_back(*chosen.cluster);
    chosen.id = find_id_column(names, taken);
  }
  if (!chosen.id)
    return fail(ErrorKind::Invalid,
                "{} has no column of ids to join it on; add one, or name it with `id`",
                printable(path));
  if (choice.score) {
    chosen.columns = {*choice.score};
  } else if (contains(names, "score")) {
    chosen.columns = {"score"};
  } else {
    for (const std::string& name : names) {
      if (name != *chosen.id && name != choice.cluster) chosen.columns.push_back(name);
    }
    if (chosen.columns.size() != 1) {
      return fail(ErrorKind::Invalid,
                  "{} has no column \"score\"; name the column of scores with `score`",
                  printable(path));
    }
  }
  return chosen;
}

std::vector<std::string> name_runs(std::span<const std::string> paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(std::filesystem::path(path).stem());
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return names;
  return {paths.begin(), paths.end()};
}

using RowOfId = std::unordered_map<std::string_view, std::size_t>;

RowOfId index_ids(const ScoreTable& table) {
  RowOfId rows;
  rows.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) rows.emplace(table.ids[row], row);
  return rows;
}

Unmatched count_unmatched(const ScoreTable& table, const std::string& name,
                          std::span<const RowOfId> indexes) {
  Unmatched unmatched{.run = name, .rows = table.rows(), .unmatched = 0, .examples = {}};
  for (const std::string& id : table.ids) {
    if (std::ranges::all_of(indexes, [&](const RowOfId& rows) { return rows.contains(id); })) {
      continue;
    }
    ++unmatched.unmatched;
    if (unmatched.examples.size() < kMostExamples) unmatched.examples.push_back(id);
  }
  return unmatched;
}

// Equal clusters of one file must be equal in the other: then their numbers map one to one.
Result<void> check_clusters(const ScoreTable& first, const ScoreTable& other, const RowOfId& rows,
                            const std::string& path) {
  if (!other.cluster_column) return {};
  std::unordered_map<std::size_t, std::size_t> first_of_other;
  std::unordered_map<std::size_t, std::size_t> other_of_first;
  for (std::size_t row = 0; row < first.rows(); ++row) {
    const auto found = rows.find(first.ids[row]);
    if (found == rows.end()) continue;
    const std::size_t mine = first.clusters[row];
    const std::size_t theirs = other.clusters[found->second];
    if (first_of_other.try_emplace(theirs, mine).first->second != mine ||
        other_of_first.try_emplace(mine, theirs).first->second != theirs) {
      return fail(ErrorKind::Invalid,
                  "{}: the item \"{}\" has a different \"{}\" than in an earlier file",
                  printable(path), printable(shorten(first.ids[row], 60)),
                  printable(*other.cluster_column));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<NamedTable>> load_tables(std::span<const std::string> paths,
                                            const JoinChoice& choice) {
  const std::vector<std::string> names = name_runs(paths);
  std::vector<NamedTable> tables;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(TableChoice chosen, choose_columns(path, choice));
    if (tables.empty()) chosen.cluster = choice.cluster;  // there it must be
    ASSIGN_OR_RETURN(ScoreTable table, load_scores(path, chosen));
    tables.push_back({names[tables.size()], std::move(table)});
  }
  return tables;
}

Result<JoinedTable> join_tables(std::span<const NamedTable> tables) {
  std::vector<RowOfId> indexes;
  for (const NamedTable& one : tables) indexes.push_back(index_ids(one.table));
  JoinedTable joined;
  const ScoreTable& first = tables.front().table;
  const auto clustered = std::ranges::find_if(
      tables, [](const NamedTable& one) { return one.table.cluster_column.has_value(); });
  const std::size_t grouping =
      clustered == tables.end() ? 0 : static_cast<std::size_t>(clustered - tables.begin());
  const ScoreTable& groups = tables[grouping].table;
  joined.table.cluster_column = groups.cluster_column;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto& [name, table] = tables[i];
    joined.files.push_back(count_unmatched(table, name, indexes));
    joined.table.columns.push_back({name, {}});
    RETURN_IF_ERROR(check_clusters(groups, table, indexes[i], name));
  }
  for (std::size_t row = 0; row < first.rows(); ++row) {
    const std::string& id = first.ids[row];
    if (std::ranges::any_of(indexes, [&](const RowOfId& rows) { return !rows.contains(id); })) {
      continue;
    }
    joined.table.ids.push_back(id);
    joined.table.clusters.push_back(groups.clusters[indexes[grouping].find(id)->second]);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      joined.table.columns[i].cells.push_back(
          tables[i].table.columns.front().cells[indexes[i].find(id)->second]);
    }
  }
  if (joined.table.rows() == 0) {
    return fail(ErrorKind::Invalid,
                "no item is in all of the files, so nothing can be paired; do their id columns "
                "have the same ids?");
  }
  return joined;
}

Result<std::size_t> add_column(ScoreTable& table, const NamedTable& other) {
  const RowOfId rows = index_ids(table);
  ScoreColumn column{other.name, std::vector<std::optional<double>>(table.rows())};
  std::size_t unmatched = 0;
  for (std::size_t row = 0; row < other.table.rows(); ++row) {
    const auto found = rows.find(other.table.ids[row]);
    if (found == rows.end())
      ++unmatched;
    else
      column.cells[found->second] = other.table.columns.front().cells[row];
  }
  if (unmatched == other.table.rows())
    return fail(ErrorKind::Invalid,
                "{}: none of its ids is that of an item, such as \"{}\"; does its id column have "
                "the items' ids?",
                printable(other.name), printable(shorten(table.ids.front(), 60)));
  table.columns.push_back(std::move(column));
  return unmatched;
}

}  // namespace personascope::report
