#include "app/plot.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kPlotExamples =
    R"(  personascope plot list 7                              # which charts run 7 has
  personascope plot scores 7 -o scores.svg
  personascope plot radar 7 -o radar.png                # PNG and PDF need rsvg-convert (librsvg2-bin)
  personascope plot differences 12 -o leave-one-out.pdf
  personascope plot curves 13 -o pass-at-k.svg --theme dark
  personascope plot scores 14 --part context -o contexts.svg)";

struct PlotFlags {
  CommonFlags common;
  app::PlotCommand command;
};

void print_charts(const std::vector<app::ChartEntry>& charts) {
  if (charts.empty()) {
    fmt::print("no charts: the run has no items and no results yet\n");
    return;
  }
  Table table({"kind", "title"}, {Align::Left, Align::Left});
  for (const app::ChartEntry& chart : charts)
    table.add({Cell(chart.kind), Cell(printable(chart.title))});
  table.may_shorten({1});
  fmt::print("{}", table.render());
}

int plot(const PlotFlags& flags) {
  if (flags.command.kind == "list")
    return show_with_store(flags.common, print_charts, [&](app::Context& context) {
      return app::list_charts(context, flags.command.run);
    });
  if (flags.command.output.empty())
    return report({ErrorKind::Invalid, "name the file to draw with --output"}, flags.common);
  const auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  app::PlotCommand command = flags.command;
  command.write_output = [](std::string_view text) -> Result<void> {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return {};
    return fail(ErrorKind::Storage, "standard output cannot be written");
  };
  const auto drawn = app::plot(**context, command);
  if (!drawn) return report(drawn.error(), flags.common);
  if (command.output == "-") return kDone;
  if (flags.common.json)
    print_json({{"output", command.output}, {"kind", drawn->kind}, {"title", drawn->title}});
  else if (!flags.common.quiet)
    fmt::print("\"{}\" in {}\n", printable(drawn->title), printable(command.output));
  return kDone;
}

}  // namespace

void add_plot(CLI::App& program) {
  const auto flags = std::make_shared<PlotFlags>();
  CLI::App* command = add_command(program, "plot", "Draw a chart of a run as SVG, PNG or PDF",
                                  kPlotExamples, [flags] { return plot(*flags); });
  std::vector<std::string> kinds{"list"};
  std::string meanings;
  for (const app::ChartKind& kind : app::chart_kinds()) {
    kinds.emplace_back(kind.name);
    meanings += fmt::format("; {}: {}", kind.name, kind.meaning);
  }
  command->add_option("KIND", flags->command.kind, "list: which charts the run has" + meanings)
      ->required()
      ->check(CLI::IsMember(kinds));
  add_run_argument(*command, flags->command.run);
  add_flag_with_value(*command, "-o,--output", flags->command.output,
                      "the file to draw: .svg, .png or .pdf; - for SVG on standard output")
      ->type_name("FILE");
  add_flag_with_value(*command, "--part", flags->command.part,
                      "the chart with this text in its title, where there are several of the kind "
                      "(default: the first)")
      ->type_name("TEXT");
  add_flag_with_value(*command, "--theme", flags->command.theme,
                      "light, dark or auto (as the reader's system has it; default light)")
      ->transform(one_of(std::map<std::string, app::Theme>{
          {"light", app::Theme::Light}, {"dark", app::Theme::Dark}, {"auto", app::Theme::Auto}}));
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
