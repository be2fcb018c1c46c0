#include "app/card.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"
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

// "en, de" of a list, "personas 293, tasks 5" of an object.
std::string render_value(const Json& value) {
  if (value.is_string()) return printable(value.get<std::string>());
  if (!value.is_structured()) return render_json(value);
  std::vector<std::string> parts;
  for (const auto& [name, part] : value.items())
    parts.push_back(value.is_array() ? render_value(part)
                                     : fmt::format("{} {}", printable(name), render_value(part)));
  return join(parts, ", ");
}

// A row of a Markdown table: "| a | b |".
std::vector<std::string> split_row(std::string_view line) {
  std::vector<std::string> cells;
  for (const std::string_view cell : split(line, '|')) cells.emplace_back(trim(cell));
  if (!cells.empty()) cells.erase(cells.begin());
  if (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

// The lines of a Markdown table, with its texts in the last column.
std::string fit_table(const std::vector<std::string_view>& lines) {
  Table table(split_row(lines.front()));
  const std::size_t columns = split_row(lines.front()).size();
  for (std::size_t i = 2; i < lines.size(); ++i) {  // below the heading and its rule
    const auto cells = split_row(lines[i]);
    std::vector<Cell> row(cells.begin(), cells.end());
    row.resize(columns, Cell(""));
    table.add(std::move(row));
  }
  if (columns > 0) table.may_wrap(columns - 1);
  return table.render(text_columns(stdout));
}

// In a terminal, paragraphs and tables fit its width; elsewhere the text stays Markdown.
std::string fit_markdown(const std::string& text) {
  if (!is_terminal(stdout)) return text + "\n";
  std::string fitted;
  std::string paragraph;
  std::vector<std::string_view> table;
  const auto end_block = [&] {
    const std::size_t indent = paragraph.starts_with("- ") ? 2 : 0;
    fitted += hang(std::exchange(paragraph, ""), text_columns(stdout), indent);
    if (const auto lines = std::exchange(table, {}); !lines.empty()) fitted += fit_table(lines);
  };
  for (const std::string_view line : split(text, '\n')) {
    const bool is_row = line.starts_with('|');
    const bool stands_alone = line.empty() || line.starts_with('#');
    if (stands_alone || line.starts_with("- ") || is_row == table.empty()) end_block();
    if (is_row)
      table.push_back(line);
    else if (stands_alone)
      fitted += std::string(line) + "\n";
    else
      paragraph.append(paragraph.empty() ? 0 : 1, ' ').append(trim(line));
  }
  end_block();
  return fitted;
}

void print_entries(const Json& object) {
  for (const auto& [name, value] : object.items())
    if (name != "run")
      fmt::print("{}", wrap_message(stdout,
                                    fmt::format("- {}: {}", printable(name), render_value(value))));
}

void print_card(const app::Card& card) {
  fmt::print("{}", fit_markdown(printable(card.text, Newlines::Keep)));
  fmt::print("\n## This copy\n\n");
  print_entries(card.head);
  if (card.used.is_null()) {
    fmt::print("\nNo run of it is stored yet.\n");
    return;
  }
  fmt::print("\n## What run {} used\n\n", render_value(card.used["run"]));
  print_entries(card.used);
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
