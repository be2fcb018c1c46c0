#include "app/export.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "app/bundle.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExportExamples = R"(  personascope export 7 -o items.jsonl
  personascope export 7 8 -o both.csv
  personascope export 7 --what findings -o findings.csv
  personascope export 7 --what calls --redact -o calls.jsonl    # tokens, cost and time, no texts
  personascope export 7 --outcome refused -o refused.json
  personascope export 7 --bundle run.zip             # all of it, for `personascope import bundle`

The ending of the file tells the format: .jsonl, .json, .csv, .md, .tex or .parquet (which
scripts/setup-parquet sets up).)";

struct ExportFlags {
  CommonFlags common;
  app::ExportCommand command;
  std::string bundle;
  std::string what = "items";
  std::string outcome;
  bool redact = false;
};

int export_bundle(app::Context& context, const ExportFlags& flags) {
  const std::vector<std::int64_t>& runs = flags.command.options.runs;
  if (runs.size() != 1 || flags.what != "items" || !flags.outcome.empty())
    return report({ErrorKind::Invalid,
                   "a bundle is of one whole run: --bundle goes with one RUN and --redact only"},
                  flags.common);
  const auto texts = flags.redact ? app::Texts::LeaveOut : app::Texts::Keep;
  const auto written = app::export_bundle(context, runs.front(), texts, flags.bundle);
  if (!written) return report(written.error(), flags.common);
  if (flags.common.json)
    print_json({{"output", flags.bundle}, {"items", written->items}, {"calls", written->calls}});
  else if (!flags.common.quiet)
    fmt::print("run {} with {} and {} in {}\n", runs.front(), render_count(written->items, "item"),
               render_count(written->calls, "call"), printable(flags.bundle));
  return kDone;
}

int export_runs(const ExportFlags& flags) {
  if (flags.command.output.empty() == flags.bundle.empty())
    return report({ErrorKind::Invalid, "name the file to write with --output or with --bundle"},
                  flags.common);
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  if (!flags.bundle.empty()) return export_bundle(**context, flags);
  app::ExportCommand command = flags.command;
  if (flags.what == "findings") command.options.what = app::ExportWhat::Findings;
  if (flags.what == "calls") command.options.what = app::ExportWhat::Calls;
  if (flags.redact) command.options.texts = app::Texts::LeaveOut;
  command.options.filter.outcome = core::find_outcome(flags.outcome);
  command.write_output = [](std::string_view text) -> Result<void> {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return {};
    return fail(ErrorKind::Storage, "standard output cannot be written");
  };
  const auto exported = app::export_runs(**context, command);
  if (!exported) return report(exported.error(), flags.common);
  if (flags.common.json)
    print_json({{"output", command.output}, {"rows", *exported}});
  else if (!flags.common.quiet && command.output != "-")
    fmt::print("{} in {}\n", render_count(*exported, "row"), printable(command.output));
  return kDone;
}

}  // namespace

void add_export(CLI::App& program) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* command = add_command(program, "export",
                                  "Write a run's items, findings or calls, or all of it, to a file",
                                  kExportExamples, [flags] { return export_runs(*flags); });
  command
      ->add_option("RUN", flags->command.options.runs, "numbers of runs (see `personascope runs`)")
      ->required();
  add_flag_with_value(*command, "-o,--output", flags->command.output,
                      "the file to write; - for JSONL on standard output")
      ->type_name("FILE");
  add_flag_with_value(*command, "--bundle", flags->bundle,
                      "write one run with all that belongs to it to a ZIP file, for `personascope "
                      "import bundle`")
      ->type_name("FILE");
  add_flag_with_value(
      *command, "--what", flags->what,
      "items, findings (a row for every number, with its interval) or calls (default items)")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"items", "findings", "calls"}));
  add_flag_with_value(*command, "--outcome", flags->outcome, "only items with this outcome")
      ->type_name("OUTCOME")
      ->check(CLI::IsMember({"answered", "scored", "abstained", "refused", "empty", "failed"}));
  command->add_flag("--redact", flags->redact,
                    "leave out every text: ids, outcomes and numbers stay");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
