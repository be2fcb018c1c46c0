#include "app/score_sources.hpp"

#include <filesystem>

#include "base/text.hpp"
#include "judge/summary.hpp"
#include "report/run_scores.hpp"

namespace personascope::app {
namespace {

Result<report::NamedTable> load_run(Context& context, std::int64_t run,
                                    const std::optional<std::string>& score) {
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  ASSIGN_OR_RETURN(report::ScoreTable table, report::load_run_scores(store->reader(), run, score));
  return report::NamedTable{fmt::format("run {}", run), std::move(table)};
}

Result<void> take_scale(Context& context, std::int64_t run, const std::optional<std::string>& score,
                        std::optional<stats::Scale>& scale) {
  if (scale) return {};
  ASSIGN_OR_RETURN(store::Store * store, context.store());
  ASSIGN_OR_RETURN(scale, report::load_run_scale(store->reader(), run, score));
  return {};
}

// A column of the file of labels.
Result<report::NamedTable> load_labels(const JudgedItems& items, const std::string& column) {
  report::JoinChoice choice;
  choice.id = items.id;
  if (!column.empty()) choice.score = column;
  ASSIGN_OR_RETURN(auto tables, report::load_tables(std::span(&items.sources[1], 1), choice));
  tables.front().name = tables.front().table.columns.front().name;
  return std::move(tables.front());
}

Result<JudgedTable> load_judged_run(Context& context, const JudgedItems& items, std::int64_t run) {
  if (items.sources.size() < 2)
    return fail(ErrorKind::Invalid,
                "name a file of human labels after the run: a column with the ids of its items, "
                "and one of labels");
  if (!items.judge.empty())
    return fail(ErrorKind::Invalid,
                "run {} is the judge; `judge` names a column and is for files only", run);
  ASSIGN_OR_RETURN(report::NamedTable judged, load_run(context, run, items.score));
  JudgedTable loaded{std::move(judged.table), 0};
  ASSIGN_OR_RETURN(const report::NamedTable labels, load_labels(items, items.human));
  ASSIGN_OR_RETURN(loaded.unmatched, report::add_column(loaded.table, labels));
  for (const std::string& word : items.runs) {
    const auto other = find_run(word);
    if (!other)
      return fail(ErrorKind::Invalid,
                  "\"{}\" is not the number of a run; beside run {} it takes "
                  "another run of the same items",
                  printable(word), run);
    ASSIGN_OR_RETURN(const report::NamedTable again, load_run(context, *other, items.score));
    RETURN_IF_ERROR(report::add_column(loaded.table, again));
  }
  for (const std::string& column : items.columns) {
    ASSIGN_OR_RETURN(const report::NamedTable more, load_labels(items, column));
    RETURN_IF_ERROR(report::add_column(loaded.table, more));
  }
  return loaded;
}

}  // namespace

std::optional<std::int64_t> find_run(const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) return std::nullopt;
  return find_integer_in(word);
}

Result<std::vector<report::NamedTable>> load_sources(Context& context,
                                                     std::span<const std::string> words,
                                                     const report::JoinChoice& choice,
                                                     std::optional<stats::Scale>& scale) {
  std::vector<std::string> files;
  for (const std::string& word : words)
    if (!find_run(word)) files.push_back(word);
  ASSIGN_OR_RETURN(auto from_files, report::load_tables(files, choice));
  std::vector<report::NamedTable> tables;
  std::size_t next_file = 0;
  for (const std::string& word : words) {
    const auto run = find_run(word);
    if (!run) {
      tables.push_back(std::move(from_files[next_file++]));
      continue;
    }
    ASSIGN_OR_RETURN(report::NamedTable table, load_run(context, *run, choice.score));
    tables.push_back(std::move(table));
    RETURN_IF_ERROR(take_scale(context, *run, choice.score, scale));
  }
  return tables;
}

std::set<std::string> describe_tiny_judges(const Json& plan) {
  std::set<std::string> sentences;
  for (const char* member : {"judge", "judges"}) {
    const Json* judges = find_member(plan, member);
    if (!judges) continue;
    for (const Json& judge : judges->is_array() ? *judges : Json::array({*judges}))
      if (judge.is_string() && judge::is_tiny(judge.get<std::string>()))
        sentences.insert(judge::describe_tiny(judge.get<std::string>()));
  }
  return sentences;
}

Result<std::vector<std::string>> list_warnings(Context& context,
                                               std::span<const std::string> words) {
  std::set<std::string> sentences;
  for (const std::string& word : words) {
    const auto run = find_run(word);
    if (!run) continue;
    ASSIGN_OR_RETURN(store::Store * store, context.store());
    ASSIGN_OR_RETURN(const store::RunRecord record, store->reader().load_run(*run));
    sentences.merge(describe_tiny_judges(record.plan));
  }
  return std::vector<std::string>(sentences.begin(), sentences.end());
}

Result<JudgedTable> load_judged(Context& context, const JudgedItems& items,
                                std::optional<stats::Scale>& scale) {
  if (const auto run = find_run(items.sources.front())) {
    RETURN_IF_ERROR(take_scale(context, *run, items.score, scale));
    return load_judged_run(context, items, *run);
  }
  const std::string& file = items.sources.front();
  if (items.sources.size() > 1)
    return fail(ErrorKind::Invalid,
                "{} is a file and must contain both scores and labels; a separate file of labels "
                "is for a stored run",
                printable(file));
  if (items.judge.empty() || items.human.empty())
    return fail(ErrorKind::Invalid, "name the columns of {} with `judge` and `human`",
                printable(file));
  report::TableChoice choice{
      .columns = {items.judge, items.human}, .id = items.id, .cluster = items.cluster};
  choice.columns.insert(choice.columns.end(), items.runs.begin(), items.runs.end());
  choice.columns.insert(choice.columns.end(), items.columns.begin(), items.columns.end());
  ASSIGN_OR_RETURN(report::ScoreTable table, report::load_scores(file, choice));
  return JudgedTable{std::move(table), 0};
}

}  // namespace personascope::app
