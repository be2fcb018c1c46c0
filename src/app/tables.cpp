#include "app/tables.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "files/text_file.hpp"
#include "report/join.hpp"
#include "report/run_scores.hpp"
#include "report/scale.hpp"

namespace personascope::app {
namespace {

Result<std::optional<stats::Scale>> parse_optional_scale(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  ASSIGN_OR_RETURN(const stats::Scale scale, report::parse_scale(*text));
  return scale;
}

// A cell as RFC 4180 wants it.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return '"' + replace_all(text, "\"", "\"\"") + '"';
}

std::string csv_number(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "";
}

Result<void> write_calibrated(const std::string& path, const report::ScoreTable& table) {
  ASSIGN_OR_RETURN(const auto scores, report::calibrated_scores(table));
  ASSIGN_OR_RETURN(files::NewFile file, files::NewFile::create(path));
  RETURN_IF_ERROR(file.write("id,judge,human,calibrated\n"));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string id = table.ids.empty() ? std::to_string(row + 1) : csv_cell(table.ids[row]);
    RETURN_IF_ERROR(
        file.write(fmt::format("{},{},{},{}\n", id, csv_number(table.columns[0].cells[row]),
                               csv_number(table.columns[1].cells[row]), csv_number(scores[row]))));
  }
  return file.commit();
}

// The number of a stored run, where that is meant: a file of that name comes first.
std::optional<std::int64_t> find_run(const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) return std::nullopt;
  return find_integer_in(word);
}

// Files and stored runs, in the order given. Where all are runs, their scale is taken from them.
Result<std::vector<report::NamedTable>> load_tables(Context& context, const CompareCommand& command,
                                                    report::CompareOptions& options) {
  std::vector<std::string> files;
  for (const std::string& word : command.files)
    if (!find_run(word)) files.push_back(word);
  const report::JoinChoice choice{
      .id = command.id, .score = command.score, .cluster = command.cluster};
  ASSIGN_OR_RETURN(auto from_files, report::load_tables(files, choice));
  std::vector<report::NamedTable> tables;
  std::size_t next_file = 0;
  for (const std::string& word : command.files) {
    const auto run = find_run(word);
    if (!run) {
      tables.push_back(std::move(from_files[next_file++]));
      continue;
    }
    ASSIGN_OR_RETURN(store::Store * store, context.store());
    ASSIGN_OR_RETURN(report::ScoreTable table, report::load_run_scores(*store, *run));
    tables.push_back({fmt::format("run {}", *run), std::move(table)});
    if (files.empty() && !options.scale) {
      ASSIGN_OR_RETURN(options.scale, report::load_run_scale(*store, *run));
    }
  }
  return tables;
}

}  // namespace

Result<report::Comparison> compare(Context& context, const CompareCommand& command) {
  report::CompareOptions options = command.options;
  ASSIGN_OR_RETURN(options.scale, parse_optional_scale(command.scale));
  if (command.files.size() == 1 && find_run(command.files.front()))
    return fail(ErrorKind::Invalid, "name a second run to compare run {} with",
                printable(command.files.front()));
  if (command.files.size() == 1) {
    if (command.columns.size() < 2) {
      ASSIGN_OR_RETURN(const auto names, report::load_column_names(command.files.front()));
      return fail(ErrorKind::Invalid,
                  "name the runs' columns of {} with --columns A,B (it has: {}), or give a second "
                  "file",
                  printable(command.files.front()), printable(shorten(join(names, ", "), 300)));
    }
    ASSIGN_OR_RETURN(const report::ScoreTable table,
                     report::load_scores(command.files.front(), {.columns = command.columns,
                                                                 .id = command.id,
                                                                 .cluster = command.cluster}));
    return report::compare_runs(table, options);
  }
  if (!command.columns.empty()) {
    return fail(ErrorKind::Invalid,
                "--columns is for the runs of a single file; --score names the column of several");
  }
  ASSIGN_OR_RETURN(const auto tables, load_tables(context, command, options));
  ASSIGN_OR_RETURN(report::JoinedTable joined, report::join_tables(tables));
  ASSIGN_OR_RETURN(report::Comparison comparison, report::compare_runs(joined.table, options));
  comparison.files = std::move(joined.files);
  return comparison;
}

Result<report::Agreement> agreement(const AgreementCommand& command) {
  report::AgreementOptions options = command.options;
  ASSIGN_OR_RETURN(options.scale, parse_optional_scale(command.scale));
  ASSIGN_OR_RETURN(const auto names, report::load_column_names(command.file));
  report::TableChoice choice{.columns = command.raters,
                             .id = command.id.value_or(names.front()),
                             .cluster = command.cluster};
  if (choice.columns.empty()) {
    for (const std::string& name : names) {
      if (name != *choice.id && name != command.cluster) choice.columns.push_back(name);
    }
  }
  if (choice.columns.empty()) {
    return fail(ErrorKind::Invalid,
                "{} has no raters: it needs an id column, then one column a rater",
                printable(command.file));
  }
  // Without a scale nominal ratings may be any text.
  if (options.level == stats::Level::Nominal && !options.scale) choice.cells = report::Cells::Names;
  ASSIGN_OR_RETURN(const report::ScoreTable table, report::load_scores(command.file, choice));
  return report::measure_agreement(table, options);
}

Result<report::Calibration> calibrate(const CalibrateCommand& command) {
  ASSIGN_OR_RETURN(const auto scale, parse_optional_scale(command.scale));
  ASSIGN_OR_RETURN(const report::ScoreTable table,
                   report::load_scores(command.file, {.columns = {command.judge, command.human},
                                                      .id = command.id,
                                                      .cluster = command.cluster}));
  ASSIGN_OR_RETURN(report::Calibration calibration,
                   report::calibrate(table, scale, command.options));
  if (command.output) RETURN_IF_ERROR(write_calibrated(*command.output, table));
  return calibration;
}

Result<report::JudgeCard> judge_card(const JudgeCardCommand& command) {
  report::AgreementOptions options = command.options;
  ASSIGN_OR_RETURN(options.scale, parse_optional_scale(command.scale));
  report::CardColumns columns;
  report::TableChoice choice{
      .columns = {command.judge, command.human}, .id = {}, .cluster = command.cluster};
  const auto add = [&](const std::string& name) {
    choice.columns.push_back(name);
    return choice.columns.size() - 1;
  };
  for (const std::string& name : command.repeats) columns.repeats.push_back(add(name));
  if (command.reversed) columns.reversed = add(*command.reversed);
  if (command.length) columns.length = add(*command.length);
  ASSIGN_OR_RETURN(const report::ScoreTable table, report::load_scores(command.file, choice));
  return report::make_judge_card(table, columns, options);
}

Result<report::SamplePlan> plan(const PlanCommand& command) {
  stats::Spread spread;
  std::string spread_of = "given";
  if (command.pilot) {
    if (command.between_deviation || command.within_deviation) {
      return fail(ErrorKind::Invalid, "give a pilot file or deviations, not both");
    }
    if (command.columns.empty() || command.columns.size() > 2) {
      return fail(ErrorKind::Invalid,
                  "name the pilot's column of scores with --columns, or two for their difference");
    }
    ASSIGN_OR_RETURN(
        const report::ScoreTable table,
        report::load_scores(*command.pilot,
                            {.columns = command.columns, .id = {}, .cluster = command.cluster}));
    ASSIGN_OR_RETURN(spread, report::estimate_spread(table));
    spread_of = command.columns.size() == 1
                    ? command.columns[0]
                    : fmt::format("{} minus {}", command.columns[1], command.columns[0]);
  } else {
    if (!command.between_deviation) {
      return fail(ErrorKind::Invalid,
                  "say how scores spread: a pilot file, or --between (and --within) deviations");
    }
    const double within = command.within_deviation.value_or(0);
    spread.between_variance = *command.between_deviation * *command.between_deviation;
    spread.within_variance = within * within;
  }
  if (command.questions) spread.rows_per_cluster = *command.questions;
  return report::make_sample_plan(spread, spread_of, command.goal);
}

}  // namespace personascope::app
