#include "cli/catalog_command.hpp"

#include "cli/estimate_table.hpp"
#include "cli/option_flags.hpp"
#include "cli/run_command.hpp"

namespace personascope::cli {

CLI::App* add_catalog_command(CLI::App& parent, const std::string& name, const char* examples,
                              std::function<int(const CatalogFlags&)> carry_out) {
  const auto flags = std::make_shared<CatalogFlags>();
  flags->command = &app::command_named(name);
  flags->common.options = flags->command->options;
  const std::string word = name.substr(name.find(' ') + 1);
  CLI::App* command = add_command(
      parent, word, flags->command->sentence, examples,
      [flags, carry_out] { return carry_out ? carry_out(*flags) : carry_out_command(*flags); });
  add_option_flags(*command, flags->command->options, flags->given);
  command->add_flag("--estimate", flags->estimate,
                    "only say what it would take: calls, tokens, money");
  add_common_flags(*command, flags->common);
  return command;
}

int carry_out_command(const CatalogFlags& flags,
                      const std::function<void(const app::RunSummary&)>& look_at) {
  if (flags.estimate)
    return show_estimates(flags.common, [&](app::Context& context) {
      return flags.command->estimate(context, flags.given);
    });
  return watch_run(
      flags.common,
      [&](app::Context& context, const app::Listener& listener) {
        return flags.command->start(context, flags.given, listener);
      },
      Questions::Ask, look_at);
}

}  // namespace personascope::cli
