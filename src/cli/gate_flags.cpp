#include "cli/gate_flags.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/option_flags.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

struct Gates {
  app::RunGates limits;
  std::string unscored;
};

void add_limits(CLI::App& command, Gates& gates) {
  add_flag_with_value(command, "--fail-under", gates.limits.fail_under,
                      "exit with 100 if the score is lower")
      ->type_name("SCORE")
      ->group("Gates");
  add_flag_with_value(command, "--fail-under-lower", gates.limits.fail_under_lower,
                      "exit with 100 if the lower end of the score's 95 % interval is lower")
      ->type_name("SCORE")
      ->group("Gates");
  add_unscored_flag(command, gates.unscored, "default worst");
  add_share_flags(command, gates.limits.max_refused, gates.limits.max_failed, gates.limits.junit);
  command
      .add_flag("--allow-cached", gates.limits.allow_cached,
                "pass gates even if all answers of the model are from earlier runs")
      ->group("Gates");
}

// The exit code of a run whose failed items are the gate's business.
int code_of_run(int code, const Gates& gates, const std::optional<app::RunSummary>& summary) {
  const bool is_tolerated = code == kNotDone && gates.limits.max_failed && summary &&
                            !summary->stopped && summary->too_many_failures;
  return is_tolerated ? kDone : code;
}

int carry_out_gated(const CatalogFlags& flags, Gates& gates) {
  if (!gates.unscored.empty())
    gates.limits.unscored = gates.unscored == "worst" ? app::Unscored::Worst : app::Unscored::Drop;
  if (const auto checked = app::check_limits(gates.limits, flags.command->name, flags.given);
      !checked)
    return report(checked.error(), flags.common);
  if (!list_models(flags).empty()) return carry_out_models(flags, gates.limits);
  if (flags.estimate) return carry_out_command(flags);
  std::optional<app::RunSummary> ended;
  const int code = code_of_run(
      carry_out_command(flags, [&](const app::RunSummary& summary) { ended = summary; }), gates,
      ended);
  if (!ended) return code;
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  if (!gates.limits.any()) {
    const auto cached = app::describe_cached(**context, *ended);
    if (cached && *cached)
      say("{} {}\n", paint(stderr, Colour::Red, "old answers:"),
          printable(name_flags(**cached, flags.common.options)));
    return code;
  }
  const auto checks = app::check_run(**context, gates.limits, *ended);
  if (!checks) return report(checks.error(), flags.common);
  const int gated = print_gates(*checks, flags.common);
  return code == kDone ? gated : code;
}

}  // namespace

CLI::App* add_gated_command(CLI::App& parent, const std::string& name, const char* examples,
                            std::function<Result<void>()> check) {
  const auto gates = std::make_shared<Gates>();
  CLI::App* command =
      add_catalog_command(parent, name, examples, [gates, check](const CatalogFlags& flags) {
        if (check)
          if (const auto checked = check(); !checked) return report(checked.error(), flags.common);
        return carry_out_gated(flags, *gates);
      });
  add_limits(*command, *gates);
  if (name.starts_with("lens"))
    command
        ->add_option("--gate-dimension", gates->limits.score,
                     "dimension whose score is compared with the limits (default task_completion)")
        ->type_name("NAME")
        ->group("Gates");
  return command;
}

void add_unscored_flag(CLI::App& command, std::string& word, const std::string& otherwise) {
  command
      .add_option("--unscored", word,
                  "refused, empty and abstained items: worst (they count as the worst score) or "
                  "drop (they are left out); " +
                      otherwise)
      ->check(CLI::IsMember({"worst", "drop"}))
      ->type_name("worst|drop")
      ->group("Gates");
}

void add_share_flags(CLI::App& command, std::optional<double>& max_refused,
                     std::optional<double>& max_failed, std::optional<std::string>& junit) {
  command
      .add_option("--max-refused", max_refused,
                  "exit with 100 if more items were refused (below 1: a fraction)")
      ->check(make_closed_range(0, 1e15))
      ->type_name("N")
      ->group("Gates");
  command
      .add_option("--max-failed", max_failed,
                  "exit with 1, undecided, if more items failed (below 1: a fraction; default 0)")
      ->check(make_closed_range(0, 1e15))
      ->type_name("N")
      ->group("Gates");
  command.add_option("--junit", junit, "write the results of the gates as a JUnit file")
      ->type_name("FILE")
      ->group("Gates");
}

int print_gates(const std::vector<app::GateCheck>& checks, const CommonFlags& flags) {
  bool is_undecided = false;
  bool is_missed = false;
  for (const app::GateCheck& check : checks) {
    const bool passed = check.end == app::GateEnd::Passed;
    is_undecided = is_undecided || check.end == app::GateEnd::Undecided;
    is_missed = is_missed || check.end == app::GateEnd::Missed;
    if (passed && flags.quiet) continue;
    say("gate {}: {}\n",
        paint(stderr, passed ? Colour::Green : Colour::Red, std::string(name_of(check.end))),
        printable(name_flags(check.sentence, flags.options)));
  }
  if (is_undecided) return kNotDone;
  return is_missed ? kThresholdMissed : kDone;
}

}  // namespace personascope::cli
