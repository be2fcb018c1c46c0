#include "cli/catalog_command.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "cli/estimate_table.hpp"
#include "cli/option_flags.hpp"
#include "cli/run_command.hpp"
#include "cli/study.hpp"

namespace personascope::cli {

CLI::App* add_catalog_command(CLI::App& parent, const std::string& name, const char* examples,
                              std::function<int(const CatalogFlags&)> carry_out) {
  const auto flags = std::make_shared<CatalogFlags>();
  flags->command = &app::command_named(name);
  flags->common.options = flags->command->options;
  flags->common.options.push_back({.name = "yes"});  // for messages only
  const std::string word = name.substr(name.find(' ') + 1);
  CLI::App* command = add_command(
      parent, word, flags->command->sentence, examples,
      [flags, carry_out] { return carry_out ? carry_out(*flags) : carry_out_command(*flags); });
  add_option_flags(*command, flags->command->options, flags->given);
  command->add_flag("--estimate,--dry-run", flags->estimate,
                    "only estimate calls, tokens and cost");
  // No variable: consent is typed.
  command->add_flag("--yes", flags->yes, "start without asking, whatever the estimated cost");
  add_common_flags(*command, flags->common);
  return command;
}

void add_other_evaluations(CLI::App& program) {
  std::set<std::string> taken;  // they have commands of their own
  for (const CLI::App* known : program.get_subcommands([](CLI::App*) { return true; }))
    taken.insert(known->get_name());
  std::map<std::string, CLI::App*> groups;
  for (const app::Command& command : app::list_commands()) {
    const std::size_t space = command.name.find(' ');
    if (space == std::string::npos) continue;
    const std::string name = command.name.substr(0, space);
    if (taken.contains(name)) continue;
    if (!groups.contains(name))
      groups[name] = add_group(program, name, command.sentence,
                               fmt::format("  personascope {}", command.name));
    const std::string example = fmt::format("  personascope {} --help", command.name);
    add_catalog_command(*groups[name], command.name, example.c_str());
  }
}

std::vector<std::string> list_models(const CatalogFlags& flags) {
  const Json* models = find_member(flags.given, "model");
  if (!models || !models->is_array()) return {};
  return models->get<std::vector<std::string>>();
}

int carry_out_models(const CatalogFlags& flags, const app::RunGates& gates) {
  for (const char* name : {"output", "scores", "responses", "model_name", "save_name"})
    if (flags.given.contains(name))
      return report({ErrorKind::Invalid,
                     fmt::format("{} is for one model; leave it out with several, or write a study "
                                 "with an output folder (see `personascope init`)",
                                 name_flags(fmt::format("`{}`", name), flags.common.options))},
                    flags.common);
  const app::Study study =
      app::make_study_of_models(*flags.command, flags.given, list_models(flags), gates);
  if (flags.estimate) return show_study_estimate(study, flags.common);
  return watch_study(study, {}, flags.common, flags.yes);
}

int carry_out_command(const CatalogFlags& flags,
                      const std::function<void(const app::RunSummary&)>& look_at) {
  if (!list_models(flags).empty()) return carry_out_models(flags, {});
  if (flags.estimate)
    return show_estimates(flags.common, [&](app::Context& context) {
      return flags.command->estimate(context, flags.given);
    });
  return watch_run(
      flags.common,
      [&](app::Context& context, const app::Listener& listener) {
        return flags.command->start(context, flags.given, listener);
      },
      flags.yes ? Questions::AnswerYes : Questions::Ask, look_at);
}

}  // namespace personascope::cli
