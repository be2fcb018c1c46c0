#include "app/tables.hpp"

#include "app/paths.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "report/join.hpp"
#include "report/run_scores.hpp"
#include "report/scale.hpp"
#include "report/score_table.hpp"

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

// Every column of a file but the id's is a rater, or those that are named.
Result<report::ScoreTable> load_raters(const AgreementCommand& command,
                                       const report::AgreementOptions& options) {
  const std::string& file = command.sources.front();
  ASSIGN_OR_RETURN(const auto names, report::load_column_names(file));
  report::TableChoice choice{
      .columns = command.raters, .id = command.id, .cluster = command.cluster};
  if (!choice.id) {
    std::vector<std::string> taken = command.raters;
    if (command.cluster) taken.push_back(*command.cluster);
    choice.id = report::find_id_column(names, taken);
  }
  if (choice.columns.empty()) {
    for (const std::string& name : names) {
      if (name != choice.id && name != command.cluster) choice.columns.push_back(name);
    }
  }
  if (choice.columns.empty()) {
    return fail(ErrorKind::Invalid,
                "{} has no raters: it needs an id column and one column per rater",
                printable(file));
  }
  // Without a scale nominal ratings may be any text.
  if (options.level == stats::Level::Nominal && !options.scale) choice.cells = report::Cells::Names;
  return report::load_scores(file, choice);
}

struct PilotTable {
  report::ScoreTable table;
  std::string name;
};

Result<PilotTable> load_pilot(Context& context, const PlanCommand& command) {
  if (find_run(command.pilot.front())) {
    if (command.pilot.size() > 2)
      return fail(ErrorKind::Invalid, "a pilot is one run, or two for their difference");
    std::optional<stats::Scale> unused;
    const report::JoinChoice choice{.score = command.score};
    ASSIGN_OR_RETURN(const auto tables, load_sources(context, command.pilot, choice, unused));
    ASSIGN_OR_RETURN(report::JoinedTable joined, report::join_tables(tables));
    return PilotTable{std::move(joined.table),
                      tables.size() == 1
                          ? tables[0].name
                          : fmt::format("{} minus {}", tables[1].name, tables[0].name)};
  }
  if (command.pilot.size() > 1 || command.columns.empty() || command.columns.size() > 2)
    return fail(ErrorKind::Invalid,
                "name the pilot's column of scores with `columns`, or two for their difference");
  ASSIGN_OR_RETURN(report::ScoreTable table,
                   report::load_scores(
                       command.pilot.front(),
                       {.columns = command.columns, .id = command.id, .cluster = command.cluster}));
  return PilotTable{std::move(table),
                    command.columns.size() == 1
                        ? command.columns[0]
                        : fmt::format("{} minus {}", command.columns[1], command.columns[0])};
}

}  // namespace

Result<report::Agreement> agreement(Context& context, const AgreementCommand& command) {
  report::AgreementOptions options = command.options;
  ASSIGN_OR_RETURN(options.scale, parse_optional_scale(command.scale));
  report::ScoreTable table;
  if (command.sources.size() > 1) {
    const report::JoinChoice choice{
        .id = command.id, .score = command.score, .cluster = command.cluster};
    ASSIGN_OR_RETURN(const auto tables,
                     load_sources(context, command.sources, choice, options.scale));
    ASSIGN_OR_RETURN(report::JoinedTable joined, report::join_tables(tables));
    table = std::move(joined.table);
  } else if (const auto run = find_run(command.sources.front())) {
    ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
    ASSIGN_OR_RETURN(table, report::load_panel_scores(*reader, *run));
    if (!options.scale) {
      ASSIGN_OR_RETURN(options.scale, report::load_run_scale(*reader, *run));
    }
  } else {
    ASSIGN_OR_RETURN(table, load_raters(command, options));
  }
  ASSIGN_OR_RETURN(report::Agreement agreement, report::measure_agreement(table, options));
  ASSIGN_OR_RETURN(agreement.warnings, list_warnings(context, command.sources));
  return agreement;
}

Result<report::Calibration> calibrate(Context& context, const CalibrateCommand& command) {
  for (const std::string& source : command.items.sources)
    if (command.output) RETURN_IF_ERROR(check_not_same_file(*command.output, source));
  ASSIGN_OR_RETURN(auto scale, parse_optional_scale(command.scale));
  ASSIGN_OR_RETURN(const JudgedTable judged, load_judged(context, command.items, scale));
  ASSIGN_OR_RETURN(report::Calibration calibration,
                   report::calibrate(judged.table, scale, command.options));
  calibration.unmatched = judged.unmatched;
  ASSIGN_OR_RETURN(calibration.warnings, list_warnings(context, command.items.sources));
  if (command.output) RETURN_IF_ERROR(write_calibrated(*command.output, judged.table));
  return calibration;
}

Result<report::JudgeCard> judge_card(Context& context, const JudgeCardCommand& command) {
  report::AgreementOptions options = command.options;
  ASSIGN_OR_RETURN(options.scale, parse_optional_scale(command.scale));
  JudgedItems items = command.items;
  items.runs = command.repeats;
  report::CardColumns columns;
  std::size_t next = 2;  // after the judge and the labels
  for (std::size_t i = 0; i < command.repeats.size(); ++i) columns.repeats.push_back(next++);
  if (command.reversed) {
    items.runs.push_back(*command.reversed);
    columns.reversed = next++;
  }
  if (command.length) {
    items.columns = {*command.length};
    columns.length = next++;
  }
  ASSIGN_OR_RETURN(const JudgedTable judged, load_judged(context, items, options.scale));
  ASSIGN_OR_RETURN(report::JudgeCard card, report::make_judge_card(judged.table, columns, options));
  card.unmatched = judged.unmatched;
  ASSIGN_OR_RETURN(card.warnings, list_warnings(context, items.sources));
  return card;
}

Result<report::SamplePlan> plan(Context& context, const PlanCommand& command) {
  stats::Spread spread;
  std::string spread_of = "given";
  std::optional<report::Pilot> measured;
  if (!command.pilot.empty()) {
    if (command.between_deviation || command.within_deviation)
      return fail(ErrorKind::Invalid, "give a pilot or deviations, not both");
    ASSIGN_OR_RETURN(PilotTable pilot, load_pilot(context, command));
    ASSIGN_OR_RETURN(measured, report::measure_pilot(pilot.table));
    spread = measured->spread;
    spread_of = std::move(pilot.name);
  } else {
    if (!command.between_deviation) {
      return fail(
          ErrorKind::Invalid,
          "say how much scores vary: name a pilot file or run, or give the deviations `between` "
          "(and `within`)");
    }
    const double within = command.within_deviation.value_or(0);
    spread.between_variance = *command.between_deviation * *command.between_deviation;
    spread.within_variance = within * within;
  }
  if (command.questions) spread.rows_per_cluster = *command.questions;
  return report::make_sample_plan(spread, spread_of, command.goal, std::move(measured));
}

}  // namespace personascope::app
