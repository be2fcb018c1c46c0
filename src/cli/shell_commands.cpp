#include <fmt/format.h>

#include "app/models.hpp"
#include "app/version.hpp"
#include "cli/command.hpp"
#include "cli/completion.hpp"
#include "cli/man_page.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kCompletionExamples =
    R"(  source <(personascope completion bash)                                        # this shell only
  personascope completion bash > ~/.local/share/bash-completion/completions/personascope
  personascope completion zsh > "${fpath[1]}/_personascope"
  personascope completion fish > ~/.config/fish/completions/personascope.fish)";

constexpr const char* kManExamples =
    R"(  personascope man | man -l -
  personascope man > ~/.local/share/man/man1/personascope.1)";

int print_completion(const CLI::App& program, const std::string& shell) {
  const CommandNode tree = make_command_tree(program);
  const ModelNames models = app::list_example_models();
  if (shell == "bash") fmt::print("{}", render_bash_completion(tree, models));
  if (shell == "zsh") fmt::print("{}", render_zsh_completion(tree, models));
  if (shell == "fish") fmt::print("{}", render_fish_completion(tree, models));
  return kDone;
}

}  // namespace

void add_completion(CLI::App& program) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = add_command(program, "completion", "Print a completion script for a shell",
                                  kCompletionExamples,
                                  [&program, shell] { return print_completion(program, *shell); });
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

void add_man(CLI::App& program) {
  add_command(program, "man", "Print the manual page (roff)", kManExamples, [&program] {
    fmt::print("{}", render_man_page(make_command_tree(program), app::version()));
    return kDone;
  });
}

}  // namespace personascope::cli
