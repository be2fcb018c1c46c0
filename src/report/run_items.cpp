#include "report/run_items.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "files/table_reader.hpp"
#include "files/text_file.hpp"
#include "report/item_export.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kLargestFile = 256u << 20;
// The members that hold what an item was asked, whichever evaluation it is of.
constexpr const char* kAsked[] = {"persona",     "question", "intent",    "goal", "demographics",
                                  "preferences", "past",     "situation", "mode", "context"};

bool is_beside(const core::ItemRecord& item) {
  return item.id.starts_with("canary/") || item.id.starts_with("control/") ||
         item.id.starts_with("probe/");
}

std::vector<std::string> list_score_names(const std::vector<core::ItemRecord>& items) {
  std::set<std::string> names;
  for (const core::ItemRecord& item : items)
    if (item.scores.is_object())
      for (const auto& [name, value] : item.scores.items()) names.insert(name);
  return {names.begin(), names.end()};
}

// What a file of verdicts calls an outcome.
std::optional<core::Outcome> find_verdict(std::string_view word) {
  if (word == "score") return core::Outcome::Scored;
  if (word == "cannot_assess") return core::Outcome::Abstained;
  return core::find_outcome(word);
}

bool has_columns(const std::vector<std::string>& names) {
  const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
  return has("id") && has("score") && has("cluster") &&
         (has("outcome") || (has("verdict") && has("judges")));
}

Result<core::ItemRecord> parse_item(const Json& row, const std::string& place) {
  core::ItemRecord item;
  const Json* id = find_member(row, "id");
  if (!id || id->is_null())
    return fail(ErrorKind::Invalid, "{}: an item without \"id\"", printable(place));
  item.id = id->is_string() ? id->get<std::string>() : render_json(*id);
  item.cluster = find_text(row, "cluster").value_or("");
  item.label = find_text(row, "label").value_or("");
  const auto word = find_text(row, "outcome");
  const auto outcome =
      word ? core::find_outcome(*word) : find_verdict(find_text(row, "verdict").value_or(""));
  if (!outcome)
    return fail(ErrorKind::Invalid, "{}: the item \"{}\" has an unknown outcome", printable(place),
                printable(shorten(item.id, 60)));
  item.outcome = *outcome;
  item.score = find_number(row, "score");
  if (const Json* scores = find_member(row, "scores")) item.scores = *scores;
  if (const Json* judges = find_member(row, "judge_scores")) item.judges = *judges;
  item.document = row;
  return item;
}

// A CSV cell as the JSON value that was written into it: a number, an object, a list, else a text.
Json read_cell(const std::string& name, const std::string& cell) {
  if (cell.empty()) return nullptr;
  const bool is_text = name == "id" || name == "cluster" || name == "label" || name == "answer" ||
                       name == "question" || name == "persona";
  if (is_text) return cell;
  if (name == "score" || cell.front() == '{' || cell.front() == '[')
    if (auto value = parse_json(cell)) return *value;
  return cell;
}

Result<std::vector<Json>> load_csv_rows(const std::string& path) {
  ASSIGN_OR_RETURN(files::TableReader reader, files::TableReader::open(path));
  std::vector<Json> rows;
  if (!has_columns(reader.columns())) return rows;
  std::vector<std::string> cells;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, reader.next(cells));
    if (!more) return rows;
    Json row = Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i)
      row[reader.columns()[i]] = read_cell(reader.columns()[i], cells[i]);
    rows.push_back(std::move(row));
  }
}

bool is_item_row(const Json& row) {
  std::vector<std::string> names;
  if (row.is_object())
    for (const auto& [name, value] : row.items()) names.push_back(name);
  return has_columns(names);
}

Result<std::vector<Json>> load_json_rows(const std::string& path, std::string_view text) {
  std::vector<Json> rows;
  if (text.starts_with('[')) {
    ASSIGN_OR_RETURN(Json list, parse_json(text));
    for (Json& row : list) rows.push_back(std::move(row));
  } else {
    std::int64_t number = 0;
    for (const std::string_view line : split(text, '\n')) {
      ++number;
      if (trim(line).empty()) continue;
      auto row = parse_json(trim(line));
      if (!row) {
        if (rows.empty()) return rows;  // whoever reads other tables says what is wrong
        return fail(ErrorKind::Invalid, "{}, line {}: {}", printable(path), number,
                    row.error().message);
      }
      rows.push_back(std::move(*row));
      if (rows.size() == 1 && !is_item_row(rows.front())) return std::vector<Json>{};
    }
  }
  if (rows.empty() || !is_item_row(rows.front())) rows.clear();
  return rows;
}

Json without_answer(const Json& fields) {
  Json rest = fields;
  rest.erase("answer");
  rest.erase("text");
  return rest;
}

}  // namespace

Result<RunItems> load_run_items(store::Reader& reader, std::int64_t run) {
  ASSIGN_OR_RETURN(store::RunRecord record, reader.load_run(run));
  if (record.state != store::RunState::Done)
    return fail(ErrorKind::Invalid, "run {} is not done; `personascope resume {}` continues it",
                run, run);
  RunItems loaded{fmt::format("run {}", run), std::move(record), {}};
  RETURN_IF_ERROR(
      visit_items(reader, run, {}, [&](const store::ItemDetails& details) -> Result<void> {
        if (!is_beside(details.item)) loaded.items.push_back(details.item);
        return {};
      }));
  const bool is_graded = std::ranges::none_of(loaded.items, [](const core::ItemRecord& item) {
    return item.outcome == core::Outcome::Answered && !item.score && item.scores.empty();
  });
  if (!is_graded || loaded.items.empty() || loaded.run->command == "batch")
    return fail(ErrorKind::Invalid, "run {} has no scores: it is a run of {}", run,
                printable(loaded.run->command));
  return loaded;
}

Result<std::optional<RunItems>> find_item_file(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, kLargestFile));
  const std::string_view content = trim(std::string_view(text));
  const bool is_json = content.starts_with('{') || content.starts_with('[');
  std::vector<Json> rows;
  if (is_json) {
    ASSIGN_OR_RETURN(rows, load_json_rows(path, content));
  } else {
    ASSIGN_OR_RETURN(rows, load_csv_rows(path));
  }
  if (rows.empty()) return std::optional<RunItems>{};
  RunItems loaded{path, {}, {}};
  std::set<std::string> seen;
  for (const Json& row : rows) {
    ASSIGN_OR_RETURN(core::ItemRecord item, parse_item(row, path));
    if (is_beside(item)) continue;
    if (!seen.insert(item.id).second)
      return fail(ErrorKind::Invalid,
                  "{}: the item \"{}\" occurs twice; a file with items of several runs cannot be "
                  "compared: export one run at a time",
                  printable(path), printable(shorten(item.id, 60)));
    loaded.items.push_back(std::move(item));
  }
  return std::optional(std::move(loaded));
}

std::optional<std::string> find_main_score(const RunItems& run) {
  if (!run.run || !run.run->headline) return std::nullopt;
  // Its name is for people: "task completion".
  const std::string key = replace_all(run.run->headline->name, " ", "_");
  const std::vector<std::string> names = list_score_names(run.items);
  if (std::ranges::find(names, key) == names.end()) return std::nullopt;
  return key;
}

Result<ItemTable> make_item_table(const RunItems& run, const std::optional<std::string>& score) {
  const std::vector<std::string> names = list_score_names(run.items);
  std::optional<std::string> chosen = names.empty() ? std::nullopt : score;
  if (!chosen) chosen = find_main_score(run);
  if (names.empty() && score && *score != "score")
    return fail(ErrorKind::Invalid, "{} has one score per item, and none called \"{}\"",
                printable(run.source), printable(*score));
  if (!names.empty() && (!chosen || std::ranges::find(names, *chosen) == names.end()))
    return fail(ErrorKind::Invalid, "{} has several scores per item; choose one with `score`: {}",
                printable(run.source), printable(join(names, ", ")));
  ItemTable made;
  ScoreTable& table = made.scores;
  const bool is_clustered = std::ranges::none_of(
      run.items, [](const core::ItemRecord& item) { return item.cluster.empty(); });
  if (is_clustered) table.cluster_column = "persona";
  ScoreColumn column{run.source, {}};
  std::map<std::string, std::size_t> numbers;
  for (const core::ItemRecord& item : run.items) {
    table.ids.push_back(item.id);
    const std::string& key = is_clustered ? item.cluster : item.id;
    table.clusters.push_back(numbers.try_emplace(key, numbers.size()).first->second);
    column.cells.push_back(chosen ? find_number(item.scores, *chosen) : item.score);
    const bool lacks_it = item.outcome == core::Outcome::Scored && !column.cells.back();
    made.outcomes.push_back(lacks_it ? core::Outcome::Failed : item.outcome);
  }
  table.columns.push_back(std::move(column));
  return made;
}

std::string question_of(const std::string& id) {
  const std::size_t mark = id.rfind('#');
  if (mark == std::string::npos || mark + 1 == id.size()) return id;
  const bool is_number = id.find_first_not_of("0123456789", mark + 1) == std::string::npos;
  return is_number ? id.substr(0, mark) : id;
}

Json find_asked(const core::ItemRecord& item) {
  Json asked = Json::object();
  for (const char* name : kAsked)
    if (const Json* value = find_member(item.document, name); value && !value->is_null())
      asked[name] = *value;
  if (const Json* fields = find_member(item.document, "fields"); fields && fields->is_object())
    asked["fields"] = without_answer(*fields);
  return asked.empty() ? Json() : asked;
}

std::string find_answer(const core::ItemRecord& item) {
  if (const auto answer = find_text(item.document, "answer")) return *answer;
  if (const Json* fields = find_member(item.document, "fields"))
    if (const auto answer = find_text(*fields, "answer")) return *answer;
  std::string text;
  if (const Json* dialogue = find_member(item.document, "dialogue");
      dialogue && dialogue->is_array())
    for (const Json& message : *dialogue)
      text +=
          fmt::format("{}{}: {}", text.empty() ? "" : "\n", find_text(message, "role").value_or(""),
                      find_text(message, "content").value_or(""));
  return text;
}

}  // namespace personascope::report
