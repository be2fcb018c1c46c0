#include "app/compare.hpp"

#include <algorithm>

#include "app/paths.hpp"
#include "app/score_sources.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "report/join.hpp"
#include "report/run_items.hpp"
#include "report/run_scores.hpp"
#include "report/scale.hpp"
#include "report/score_table.hpp"

namespace personascope::app {
namespace {

// What is compared: a table with a column a run, and the items where they are known.
struct Sources {
  report::ScoreTable table;
  std::vector<report::Unmatched> files;
  std::vector<report::RunItems> runs;  // empty if a source is a table of anybody's
  std::vector<report::NamedTable> tables;
  report::OutcomeColumns outcomes;  // of the joined table; empty if they are not known
};

Result<Sources> load_columns(const CompareRequest& command) {
  const std::string& file = command.files.front();
  if (find_run(file))
    return fail(ErrorKind::Invalid, "name a second run to compare run {} with", printable(file));
  if (command.columns.size() < 2) {
    ASSIGN_OR_RETURN(const auto names, report::load_column_names(file));
    return fail(ErrorKind::Invalid,
                "name two columns of {} with `columns`, one for each run (it has: {}), or give a "
                "second file",
                printable(file), printable(shorten(join(names, ", "), 300)));
  }
  Sources sources;
  ASSIGN_OR_RETURN(sources.table, report::load_scores(file, {.columns = command.columns,
                                                             .id = command.id,
                                                             .cluster = command.cluster}));
  return sources;
}

// Nothing if one of them is no run and no export of one.
Result<std::optional<std::vector<report::RunItems>>> find_items(Context& context,
                                                                const CompareRequest& command) {
  std::vector<report::RunItems> runs;
  for (const std::string& word : command.files) {
    if (const auto run = find_run(word)) {
      ASSIGN_OR_RETURN(store::Store * store, context.existing_store());
      ASSIGN_OR_RETURN(report::RunItems items, report::load_run_items(store->reader(), *run));
      runs.push_back(std::move(items));
      continue;
    }
    if (command.id || command.cluster) return std::optional<std::vector<report::RunItems>>{};
    ASSIGN_OR_RETURN(auto items, report::find_item_file(word));
    if (!items) return std::optional<std::vector<report::RunItems>>{};
    runs.push_back(std::move(*items));
  }
  return std::optional(std::move(runs));
}

// The score that the first stored run would be shown by, for all of them.
std::optional<std::string> choose_score(const CompareRequest& command,
                                        const std::vector<report::RunItems>& runs) {
  if (command.score) return command.score;
  for (const report::RunItems& run : runs)
    if (const auto name = report::find_main_score(run)) return name;
  return std::nullopt;
}

Result<void> check_evaluations(const std::vector<report::RunItems>& runs) {
  const report::RunItems* first = nullptr;
  for (const report::RunItems& run : runs) {
    if (!run.run) continue;
    if (!first) first = &run;
    if (run.run->command != first->run->command)
      return fail(ErrorKind::Invalid, "{} is of {} and {} of {}: they have no items in common",
                  first->source, printable(first->run->command), run.source,
                  printable(run.run->command));
  }
  return {};
}

Result<Sources> load_sources_of(Context& context, const CompareRequest& command,
                                std::optional<stats::Scale>& scale,
                                std::optional<report::Comparability>& settings) {
  Sources sources;
  ASSIGN_OR_RETURN(auto runs, find_items(context, command));
  if (runs) {
    RETURN_IF_ERROR(check_evaluations(*runs));
    settings = report::check_comparability(*runs);
    const auto score = choose_score(command, *runs);
    for (std::size_t i = 0; i < runs->size(); ++i) {
      const report::RunItems& run = (*runs)[i];
      ASSIGN_OR_RETURN(report::ItemTable table, report::make_item_table(run, score));
      sources.tables.push_back({settings->names[i], std::move(table.scores)});
      sources.outcomes.push_back(std::move(table.outcomes));
      if (scale || !run.run) continue;
      ASSIGN_OR_RETURN(store::Store * store, context.existing_store());
      ASSIGN_OR_RETURN(scale, report::load_run_scale(store->reader(), run.run->id, score));
    }
    sources.runs = std::move(*runs);
  } else {
    const report::JoinChoice choice{
        .id = command.id, .score = command.score, .cluster = command.cluster};
    ASSIGN_OR_RETURN(sources.tables, load_sources(context, command.files, choice, scale));
  }
  ASSIGN_OR_RETURN(report::JoinedTable joined, report::join_tables(sources.tables));
  sources.table = std::move(joined.table);
  for (std::size_t i = 0; i < sources.outcomes.size(); ++i)
    sources.outcomes[i] =
        report::align_outcomes(sources.table.ids, sources.tables[i].table.ids, sources.outcomes[i]);
  sources.files = std::move(joined.files);
  return sources;
}

Result<void> check_same_questions(const report::Comparability& settings, bool anyway) {
  if (settings.changed_items == 0 || anyway) return {};
  return fail(ErrorKind::Invalid,
              "{} {} asked another question or persona in one of the runs, such as {}, so their "
              "scores cannot be paired; compare them nevertheless with `anyway`",
              settings.changed_items, settings.changed_items == 1 ? "item was" : "items were",
              printable(shorten(join(settings.examples, ", "), 200)));
}

report::GateCheck check_worse(const report::RunDifference& row) {
  report::GateCheck check{"not worse", report::GateEnd::Passed, {}};
  if (!row.comparison || row.verdict == report::Verdict::Undecidable) {
    check.end = report::GateEnd::Undecided;
    check.sentence = fmt::format("{} cannot be compared with {}: {}", row.run, row.baseline,
                                 row.comparison ? row.why : row.comparison.error().message);
    return check;
  }
  if (row.verdict == report::Verdict::Worse) check.end = report::GateEnd::Missed;
  const bool is_decided = row.verdict != report::Verdict::NoDifferenceSeen;
  check.sentence =
      fmt::format("{}: {} {} {} ({:+.3f})", row.run, report::name_of(row.verdict),
                  is_decided ? "than" : "to", row.baseline, row.comparison->difference.value);
  return check;
}

report::GateCheck check_margin(const report::MarginTest& test, const std::string& baseline) {
  report::GateCheck check{"not worse by margin", report::GateEnd::Passed, {}};
  if (!test.is_not_worse) check.end = report::GateEnd::Missed;
  std::string interval = test.interval
                             ? fmt::format(
                                   "{:.0f} % interval of the difference "
                                   "{:+.3f} to {:+.3f}",
                                   100 * test.confidence, test.interval->low, test.interval->high)
                             : test.why;
  std::string more;
  if (test.clusters_needed)
    more = fmt::format(
        "; about {} clusters would show it with a chance of 80 %, if there is no "
        "difference",
        *test.clusters_needed);
  check.sentence =
      fmt::format("{} is {}shown to be not worse than {} by {:g} or more: {}{}", test.run,
                  test.is_not_worse ? "" : "not ", baseline, test.margin, interval, more);
  return check;
}

std::vector<report::GateCheck> check_gates(const CompareGates& gates, const Sources& sources,
                                           const ComparedRuns& compared) {
  std::vector<report::GateCheck> checks;
  const auto items = static_cast<std::int64_t>(sources.table.rows());
  for (std::size_t i = 0; i < sources.outcomes.size(); ++i) {
    const std::string& name = sources.table.columns[i].name;
    const auto count = [&](core::Outcome outcome) {
      return static_cast<std::int64_t>(std::ranges::count(sources.outcomes[i], outcome));
    };
    if (i > 0 && gates.max_refused)
      checks.push_back(report::check_share(
          name, core::Outcome::Refused, count(core::Outcome::Refused), items, *gates.max_refused));
    const std::int64_t failed = count(core::Outcome::Failed);
    if (gates.max_failed || failed > 0)
      checks.push_back(report::check_share(name, core::Outcome::Failed, failed, items,
                                           gates.max_failed.value_or(0)));
  }
  if (gates.fail_if_worse)
    for (const report::RunDifference& row : compared.scores.differences)
      checks.push_back(check_worse(row));
  if (gates.not_worse_by)
    for (const report::MarginTest& test : compared.margins)
      checks.push_back(check_margin(test, compared.scores.runs.front().run));
  return checks;
}

Result<void> apply_unscored(const CompareRequest& command, Sources& sources,
                            const std::optional<stats::Scale>& scale, ComparedRuns& compared) {
  const bool depends = command.gates.fail_if_worse || command.gates.not_worse_by;
  compared.unscored =
      command.unscored.value_or(depends ? report::Unscored::Worst : report::Unscored::Drop);
  if (compared.unscored == report::Unscored::Drop) return {};
  if (scale) {
    const bool higher = command.options.better == report::Better::Higher;
    compared.filled =
        fill_unscored(sources.table, sources.outcomes, higher ? scale->low : scale->high);
    return {};
  }
  report::ScoreTable probe = sources.table;
  if (fill_unscored(probe, sources.outcomes, 0) == 0) return {};
  return fail(ErrorKind::Invalid,
              "items without a score are to count as the worst one, and the scale is not known: "
              "give it with `scale`, or leave them out with `unscored` drop");
}

// A column of labels for each run, beside the scores.
Result<report::ScoreTable> with_labels(const CompareRequest& command, report::ScoreTable table) {
  if (command.human.size() != table.columns.size())
    return fail(ErrorKind::Invalid, "`human` must name labels for each of the {} runs, not for {}",
                table.columns.size(), command.human.size());
  if (command.files.size() == 1) {
    std::vector<std::string> columns = command.columns;
    columns.insert(columns.end(), command.human.begin(), command.human.end());
    return report::load_scores(
        command.files.front(),
        {.columns = std::move(columns), .id = command.id, .cluster = command.cluster});
  }
  for (const std::string& file : command.human) {
    ASSIGN_OR_RETURN(const auto labels, report::load_tables(std::span(&file, 1), {}));
    RETURN_IF_ERROR(report::add_column(table, labels.front()));
  }
  return table;
}

Result<void> add_items(const CompareRequest& command, const Sources& sources,
                       ComparedRuns& compared) {
  if (!command.items && !command.worse && !command.output) return {};
  if (sources.runs.size() != 2)
    return fail(ErrorKind::Invalid,
                "items are listed for two stored runs or exports of items with their outcomes");
  const auto direction = command.options.better == report::Better::Higher
                             ? report::Direction::HigherIsBetter
                             : report::Direction::LowerIsBetter;
  compared.items = report::list_item_changes(sources.runs[0], sources.tables[0].table,
                                             sources.runs[1], sources.tables[1].table, direction);
  if (command.worse) {
    std::erase_if(compared.items, [&](const report::ItemChange& item) {
      return !report::is_worse(item, direction);
    });
    if (compared.items.size() > *command.worse) compared.items.resize(*command.worse);
  }
  if (!command.output) return {};
  const auto format = report::find_row_format(*command.output).value_or(report::RowFormat::Jsonl);
  if (format == report::RowFormat::Parquet)
    return fail(ErrorKind::Invalid,
                "changes of items are not written as Parquet: use .jsonl or .csv");
  ASSIGN_OR_RETURN(files::NewFile file, files::NewFile::create(make_absolute(*command.output)));
  RETURN_IF_ERROR(report::write_item_changes(
      compared.items, format, [&](std::string_view text) { return file.write(text); }));
  return file.commit();
}

}  // namespace

Result<ComparedRuns> compare_runs(Context& context, const CompareRequest& command) {
  report::CompareOptions options = command.options;
  if (command.scale) {
    ASSIGN_OR_RETURN(options.scale, report::parse_scale(*command.scale));
  }
  if (command.junit && !command.gates.any())
    return fail(ErrorKind::Invalid, "a JUnit file is for gates, and there is none");
  if (command.files.size() > 1 && !command.columns.empty())
    return fail(ErrorKind::Invalid,
                "`columns` is for the runs of a single file; `score` names the column of several");
  ComparedRuns compared;
  Sources sources;
  if (command.files.size() == 1) {
    ASSIGN_OR_RETURN(sources, load_columns(command));
  } else {
    ASSIGN_OR_RETURN(sources, load_sources_of(context, command, options.scale, compared.settings));
  }
  if (compared.settings) RETURN_IF_ERROR(check_same_questions(*compared.settings, command.anyway));
  const report::ScoreTable as_scored = sources.table;
  RETURN_IF_ERROR(apply_unscored(command, sources, options.scale, compared));
  ASSIGN_OR_RETURN(compared.scores, report::compare_runs(sources.table, options));
  compared.scores.files = std::move(sources.files);
  ASSIGN_OR_RETURN(const auto warnings, list_warnings(context, command.files));
  compared.scores.warnings.insert(compared.scores.warnings.end(), warnings.begin(), warnings.end());
  ASSIGN_OR_RETURN(compared.outcomes,
                   report::compare_outcomes(as_scored, sources.outcomes, options));
  if (!compared.outcomes.empty() && options.scale)
    compared.bounds = report::list_bounds(as_scored, *options.scale);
  if (const auto margin = command.gates.not_worse_by ? command.gates.not_worse_by : command.margin)
    for (const report::RunDifference& row : compared.scores.differences)
      compared.margins.push_back(report::test_margin(row, *margin, compared.scores));
  if (!command.human.empty()) {
    ASSIGN_OR_RETURN(const auto labelled, with_labels(command, as_scored));
    ASSIGN_OR_RETURN(compared.corrected, report::correct_differences(labelled, options));
  }
  if (command.gates.any()) compared.gates = check_gates(command.gates, sources, compared);
  RETURN_IF_ERROR(add_items(command, sources, compared));
  if (command.junit)
    RETURN_IF_ERROR(save_junit(*command.junit, "personascope compare", compared.gates));
  return compared;
}

Json to_json(const ComparedRuns& compared) {
  Json json = to_json(compared.scores);
  json["settings"] = compared.settings ? to_json(*compared.settings) : Json(nullptr);
  json["outcomes"] = report::to_json(compared.outcomes);
  json["unscored"] = report::name_of(compared.unscored);
  json["filled"] = compared.filled;
  json["bounds"] = Json::array();
  for (const report::ScoreBounds& bounds : compared.bounds)
    json["bounds"].push_back({{"run", bounds.run}, {"low", bounds.low}, {"high", bounds.high}});
  json["margins"] = Json::array();
  for (const report::MarginTest& test : compared.margins) json["margins"].push_back(to_json(test));
  json["corrected"] = Json::array();
  for (const report::CorrectedDifference& row : compared.corrected)
    json["corrected"].push_back(to_json(row));
  json["gates"] = report::to_json(compared.gates);
  json["items_changed"] = Json::array();
  for (const report::ItemChange& item : compared.items)
    json["items_changed"].push_back(to_json(item));
  return json;
}

}  // namespace personascope::app
