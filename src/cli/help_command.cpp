#include <fmt/format.h>

#include "app/version.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/unknown_flag.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kHelpExamples =
    R"(  personascope help
  personascope help gym
  personascope help gym run)";

Result<const CLI::App*> find_command(const CLI::App& program,
                                     const std::vector<std::string>& names) {
  const CLI::App* command = &program;
  for (const std::string& name : names) {
    std::vector<std::string> known;
    const CLI::App* next = nullptr;
    for (const CLI::App* below : command->get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(below->get_name());
      if (below->get_name() == name) next = below;
    }
    if (!next) {
      const auto near = near_matches(name, known);
      return fail(ErrorKind::Invalid, "{} has no command \"{}\"{}", full_name_of(*command),
                  printable(shorten(name, 60)),
                  near.empty() ? "" : fmt::format("; did you mean {}?", near.front()));
    }
    command = next;
  }
  return command;
}

int show_help(const CLI::App& program, const std::vector<std::string>& names) {
  const auto command = find_command(program, names);
  if (!command) return report(command.error(), {});
  // The program's own help would be that of `help`, which was typed.
  const CLI::App* parent = (*command)->get_parent();
  fmt::print("{}", (*command)->get_formatter()->make_help(
                       *command, parent ? full_name_of(**command) : program.get_name(),
                       CLI::AppFormatMode::Normal));
  return kDone;
}

}  // namespace

void add_help(CLI::App& program) {
  const auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* command = add_command(program, "help", "Explain a command with examples", kHelpExamples,
                                  [&program, names] { return show_help(program, *names); });
  command->add_option("COMMAND", *names, "a command and its subcommand (default: all commands)")
      ->expected(0, 2);
}

void add_version(CLI::App& program) {
  add_command(program, "version", "Print the version", "  personascope version", [] {
    fmt::print("{}\n", app::version());
    return kDone;
  });
}

}  // namespace personascope::cli
