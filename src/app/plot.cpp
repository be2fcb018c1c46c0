#include "app/plot.hpp"

#include <algorithm>
#include <optional>

#include "app/findings.hpp"
#include "base/text.hpp"
#include "files/svg_converter.hpp"
#include "files/text_file.hpp"

namespace personascope::app {
namespace {

using report::RunChart;

Result<std::vector<RunChart>> load_charts(Context& context, std::int64_t id) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  ASSIGN_OR_RETURN(const store::RunRecord run, reader->load_run(id));
  ASSIGN_OR_RETURN(const auto items, report::load_all_items(*reader, id));
  return report::make_charts(run, describe_results(run.results), items);
}

ChartEntry describe_chart(const RunChart& chart) {
  return {chart.kind, report::title_of(chart.chart)};
}

// "scores, radar and outcomes".
std::string list_kinds(const std::vector<RunChart>& charts) {
  std::vector<std::string> kinds;
  for (const RunChart& chart : charts)
    if (kinds.empty() || kinds.back() != chart.kind) kinds.push_back(chart.kind);
  return kinds.empty() ? "no charts yet" : join(kinds, ", ");
}

Result<const RunChart*> choose_chart(const std::vector<RunChart>& charts,
                                     const PlotCommand& command) {
  std::vector<std::string> titles;
  for (const RunChart& chart : charts) {
    if (chart.kind != command.kind) continue;
    const std::string& title = report::title_of(chart.chart);
    if (lower(title).find(lower(command.part)) != std::string::npos) return &chart;
    titles.push_back("\"" + title + "\"");
  }
  if (titles.empty())
    return fail(ErrorKind::Invalid, "run {} has no chart of the kind {}; it has {}", command.run,
                printable(command.kind), list_kinds(charts));
  return fail(ErrorKind::Invalid, "run {} has no {} with \"{}\" in the title; it has {}",
              command.run, printable(command.kind), printable(command.part),
              printable(join(titles, ", ")));
}

// Nothing for SVG.
Result<std::optional<files::PictureFormat>> parse_ending(const std::string& output) {
  const std::string name = lower(output);
  if (name == "-" || name.ends_with(".svg")) return std::nullopt;
  if (name.ends_with(".png")) return files::PictureFormat::Png;
  if (name.ends_with(".pdf")) return files::PictureFormat::Pdf;
  return fail(ErrorKind::Invalid,
              "the name {} does not tell the format: end it with .svg, .png or .pdf",
              printable(output));
}

}  // namespace

Json to_json(const std::vector<ChartEntry>& charts) {
  Json list = Json::array();
  for (const ChartEntry& chart : charts)
    list.push_back({{"kind", chart.kind}, {"title", chart.title}});
  return {{"charts", std::move(list)}};
}

Result<std::vector<ChartEntry>> list_charts(Context& context, std::int64_t run) {
  ASSIGN_OR_RETURN(const auto charts, load_charts(context, run));
  std::vector<ChartEntry> entries;
  for (const RunChart& chart : charts) entries.push_back(describe_chart(chart));
  return entries;
}

Result<ChartEntry> plot(Context& context, const PlotCommand& command) {
  ASSIGN_OR_RETURN(const auto format, parse_ending(command.output));
  ASSIGN_OR_RETURN(const auto charts, load_charts(context, command.run));
  ASSIGN_OR_RETURN(const RunChart* chart, choose_chart(charts, command));
  std::string picture = report::render_svg(chart->chart, {command.theme, report::Place::File});
  if (format) {
    ASSIGN_OR_RETURN(picture, files::convert_svg(picture, *format,
                                                 files::find_svg_converter(context.environment())));
  }
  if (command.output == "-") {
    RETURN_IF_ERROR(command.write_output(picture));
    return describe_chart(*chart);
  }
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(command.output));
  RETURN_IF_ERROR(file.write(picture));
  RETURN_IF_ERROR(file.commit());
  return describe_chart(*chart);
}

}  // namespace personascope::app
