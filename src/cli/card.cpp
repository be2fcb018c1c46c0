#include "app/card.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kCardExamples =
    R"(  personascope card gym
  personascope card gym --run 7        # with what run 7 really used
  personascope card gym --json > card.json)";

struct CardFlags {
  CommonFlags common;
  std::string evaluation;
  std::optional<std::int64_t> run;
};

std::string render_value(const Json& value) {
  return printable(value.is_string() ? value.get<std::string>() : render_json(value));
}

// Paragraphs fit the terminal; tables stay as they are.
std::string fit_markdown(const std::string& text) {
  if (!is_terminal(stdout)) return text + "\n";
  std::string fitted;
  std::string paragraph;
  const auto end_paragraph = [&] {
    fitted += hang(std::exchange(paragraph, ""), text_columns(stdout), 0);
  };
  for (const std::string_view line : split(text, '\n')) {
    const bool stands_alone = line.empty() || line.starts_with('|') || line.starts_with('#');
    if (stands_alone || line.starts_with("- ")) end_paragraph();
    if (stands_alone)
      fitted += std::string(line) + "\n";
    else
      paragraph += (paragraph.empty() ? "" : " ") + std::string(trim(line));
  }
  end_paragraph();
  return fitted;
}

void print_card(const app::Card& card) {
  fmt::print("{}", fit_markdown(printable(card.text, Newlines::Keep)));
  fmt::print("\n## This copy\n\n");
  for (const auto& [name, value] : card.head.items())
    fmt::print("- {}: {}\n", printable(name), render_value(value));
  if (card.used.is_null()) {
    fmt::print("\nNo run of it is stored yet.\n");
    return;
  }
  fmt::print("\n## What run {} used\n\n", render_value(card.used["run"]));
  for (const auto& [name, value] : card.used.items())
    if (name != "run") fmt::print("- {}: {}\n", printable(name), render_value(value));
}

int show_card(const CardFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  return show(app::load_card(**context, flags.evaluation, flags.run), flags.common, print_card);
}

}  // namespace

void add_card(CLI::App& program) {
  const auto flags = std::make_shared<CardFlags>();
  CLI::App* command =
      add_command(program, "card", "Print the benchmark card of an evaluation, and what a run used",
                  kCardExamples, [flags] { return show_card(*flags); });
  command->add_option("evaluation", flags->evaluation, "gym, bench or lens")
      ->required()
      ->check(CLI::IsMember({"gym", "bench", "lens"}));
  command->add_option("--run", flags->run, "a run (default: the newest one that is done)")
      ->type_name("RUN");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
