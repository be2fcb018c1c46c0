#include "app/export.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples = R"(  personascope export 7 -o items.jsonl
  personascope export 7 8 -o both.csv
  personascope export 7 --what findings -o findings.csv
  personascope export 7 --what calls --redact -o calls.jsonl    # tokens, cost and time, no texts
  personascope export 7 --outcome refused -o refused.json

The ending of the file tells the format: .jsonl, .json, .csv, .md or .tex.)";

struct ExportFlags {
  CommonFlags common;
  app::ExportCommand command;
  std::string what = "items";
  std::string outcome;
  bool redact = false;
};

int export_runs(const ExportFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
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
  CLI::App* command =
      add_command(program, "export", "Write a run's items, findings or calls to a file", kExamples,
                  [flags] { return export_runs(*flags); });
  command
      ->add_option("RUN", flags->command.options.runs, "numbers of runs (see `personascope runs`)")
      ->required();
  add_flag_with_value(*command, "-o,--output", flags->command.output,
                      "the file to write; - for JSONL on standard output")
      ->type_name("FILE")
      ->required();
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
