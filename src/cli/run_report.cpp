#include "app/run_report.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kReportExamples =
    R"(  personascope report 7 -o report.html                        # one file: charts, tables, notes, method
  personascope report 7 -o report.html --transcripts 20 --worst
  personascope report 7 8 -o both.html                        # two runs, with an overview
  personascope report 7 -o report.md
  personascope report 7 -o tables.tex                         # booktabs tables, for \input
  personascope report 7 -o report.html --redact               # numbers only)";

struct ReportFlags {
  CommonFlags common;
  app::ReportCommand command;
};

int write_report(const ReportFlags& flags) {
  if (flags.command.worst_first && flags.command.transcripts == 0)
    return report({ErrorKind::Invalid, "--worst orders the items of --transcripts N"},
                  flags.common);
  const auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto written = app::write_report(**context, flags.command);
  if (!written) return report(written.error(), flags.common);
  if (flags.common.json)
    print_json({{"output", flags.command.output}, {"bytes", *written}});
  else if (!flags.common.quiet)
    fmt::print("report of {} in {} ({} kB)\n", render_count(flags.command.runs.size(), "run"),
               printable(flags.command.output), render_count((*written + 999) / 1000));
  return kDone;
}

}  // namespace

void add_report(CLI::App& program) {
  const auto flags = std::make_shared<ReportFlags>();
  CLI::App* command =
      add_command(program, "report", "Write a report of runs to one file: HTML, Markdown or LaTeX",
                  kReportExamples, [flags] { return write_report(*flags); });
  command->add_option("RUN", flags->command.runs, "numbers of runs (see `personascope runs`)")
      ->required();
  add_flag_with_value(*command, "-o,--output", flags->command.output,
                      "the file to write: .html, .md or .tex")
      ->type_name("FILE")
      ->required();
  add_flag_with_value(*command, "--transcripts", flags->command.transcripts,
                      "also show N items of each run with their texts and verdicts (default 0)")
      ->type_name("N")
      ->check(CLI::Range(0, 10'000));
  command->add_flag("--worst", flags->command.worst_first,
                    "choose the items with the lowest scores (default: the first ones)");
  command->add_flag("--redact", flags->command.redact,
                    "leave out every text of personas, models and judges");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
