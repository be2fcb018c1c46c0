#include "cli/judging_flags.hpp"

#include "cli/command.hpp"

namespace personascope::cli {

void add_judging_flags(CLI::App& command, JudgingFlags& flags, app::JudgeOptions& options) {
  add_flag_with_value(command, "--verdicts", flags.form,
                      "how verdicts are given: auto, text, schema or expected (auto)")
      ->type_name("FORM")
      ->check(CLI::IsMember({"auto", "text", "schema", "expected"}));
  add_flag_with_value(command, "--judge-repeats", options.repeats,
                      "ask each judge so often and average (1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  command
      .add_flag("--both-orders", flags.both_orders,
                "show the scale in both orders, average, and report the gap")
      ->envname(variable_of("--both-orders"));
  add_flag_with_value(command, "--panel", flags.rule,
                      "how several judges become one score: mean or median (mean)")
      ->type_name("RULE")
      ->check(CLI::IsMember({"mean", "median"}));
}

void read_judging_flags(const JudgingFlags& flags, app::JudgeOptions& options,
                        app::PanelRule& rule) {
  options.form = *app::find_reply_form(flags.form);
  rule = *app::find_panel_rule(flags.rule);
  if (flags.both_orders) options.orders = app::Orders::Both;
}

}  // namespace personascope::cli
