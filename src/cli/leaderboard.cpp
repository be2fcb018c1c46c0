#include "app/leaderboard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kLeaderboardExamples =
    R"(  personascope gym leaderboard
  personascope gym leaderboard --base "GPT 3.5"
  personascope gym leaderboard --json

Stored runs of the gym, and the published scores of imported packs (see import). "ranks" are those that
fit: rows whose ranks overlap cannot be told apart.)";

struct LeaderboardFlags {
  CommonFlags common;
  app::LeaderboardCommand command;
};

std::string name_of(const app::LeaderboardRow& row) {
  return printable(shorten(row.entry.model, 40));
}

std::string render_ranks(const std::optional<app::RankRange>& ranks) {
  if (!ranks) return "-";
  return ranks->best == ranks->worst ? fmt::format("{}", ranks->best)
                                     : fmt::format("{} to {}", ranks->best, ranks->worst);
}

std::string render_signed_percent(double percent) {
  return fmt::format("{:+.2f} %", percent);
}

std::string render_ranking(const app::Leaderboard& board) {
  using enum Align;
  std::vector<std::string> headings{"rank",         "ranks",         "model",    "from",
                                    "PersonaScore", "95 % interval", "personas", "to best"};
  std::vector<Align> aligns{Right, Left, Left, Left, Right, Left, Right, Right};
  if (board.base) {
    headings.push_back("to " + printable(shorten(*board.base, 20)));
    aligns.push_back(Right);
  }
  Table table(headings, aligns);
  for (const app::LeaderboardRow& row : board.rows) {
    const app::ScoreEstimate& score = row.entry.persona_score;
    std::vector<Cell> cells{
        std::to_string(row.rank),
        render_ranks(row.ranks),
        name_of(row),
        row.entry.source,
        Cell(fmt::format("{:.2f}", score.value), Colour::Bold),
        score.interval ? fmt::format("{:.2f} to {:.2f}", score.interval->low, score.interval->high)
                       : "-",
        render_count(static_cast<long long>(score.clusters)),
        render_signed_percent(row.percent_over_best)};
    if (row.percent_over_base) cells.emplace_back(render_signed_percent(*row.percent_over_base));
    table.add(std::move(cells));
  }
  return table.render();
}

std::string render_tasks(const app::Leaderboard& board) {
  std::vector<std::string> names;
  for (const app::LeaderboardRow& row : board.rows)
    for (const auto& [name, score] : row.entry.tasks)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  std::vector<std::string> headings{"model"};
  std::vector<Align> aligns{Align::Left};
  for (const std::string& name : names) {
    headings.push_back(printable(shorten(name, 30)));
    aligns.push_back(Align::Right);
  }
  Table table(headings, aligns);
  for (const app::LeaderboardRow& row : board.rows) {
    std::vector<Cell> cells{name_of(row)};
    for (const std::string& name : names) {
      const auto found =
          std::ranges::find(row.entry.tasks, name, [](const auto& task) { return task.first; });
      cells.emplace_back(
          found == row.entry.tasks.end() ? "-" : fmt::format("{:.2f}", found->second.value));
    }
    table.add(std::move(cells));
  }
  return table.render();
}

void print_leaderboard(const app::Leaderboard& board) {
  Notes notes;
  for (const std::string& note : board.notes) notes.add(note);
  for (const app::LeaderboardRow& row : board.rows)
    for (const std::string& note : row.entry.notes)
      notes.add(printable(fmt::format("{}: {}", row.entry.model, note)));
  fmt::print("{}\n{}{}", render_ranking(board), render_tasks(board), notes.render());
}

int show_leaderboard(const LeaderboardFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  return show(app::leaderboard(**context, flags.command), flags.common, print_leaderboard);
}

}  // namespace

void add_leaderboard(CLI::App& gym_group) {
  const auto flags = std::make_shared<LeaderboardFlags>();
  CLI::App* command =
      add_command(gym_group, "leaderboard", "Rank stored runs and published scores",
                  kLeaderboardExamples, [flags] { return show_leaderboard(*flags); });
  add_flag_with_value(*command, "--base", flags->command.base,
                      "model that the others are compared with")
      ->type_name("MODEL");
  add_flag_with_value(*command, "--confidence", flags->command.confidence,
                      "confidence level of the ranks (default 0.95)")
      ->check(make_open_range(0, 1));
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
