#include "app/leaderboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/text.hpp"
#include "cli/board_view.hpp"
#include "cli/command.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kLeaderboardExamples =
    R"(  personascope leaderboard                       # every evaluation, all runs that are done
  personascope leaderboard gym --base openai/gpt-4o-mini
  personascope leaderboard --runs 3,5,8
  personascope leaderboard bench --tag release-7 --since 2026-11-01
  personascope leaderboard lens --score personalization --json

One row for each model and setting; several runs of it are pooled. Runs with other items, judges, prompts,
data or protocol stand on another board. "ranks" are the places that the data allows: rows whose ranks overlap
cannot be told apart.)";

constexpr const char* kGymBoardExamples =
    R"(  personascope gym leaderboard
  personascope gym leaderboard --base "GPT 3.5"
  personascope gym leaderboard --json

The same as `personascope leaderboard gym`: stored runs of the gym, and the published scores of imported packs
(see import).)";

struct LeaderboardFlags {
  CommonFlags common;
  app::LeaderboardRequest request;
  std::vector<std::string> runs;
  std::string unscored = "worst";
};

Result<std::vector<std::int64_t>> parse_runs(const std::vector<std::string>& words) {
  std::vector<std::int64_t> runs;
  for (const std::string& word : words)
    for (const std::string_view part : split(word, ',')) {
      const auto run = find_integer_in(trim(part));
      if (!run || *run < 1)
        return fail(ErrorKind::Invalid, "--runs takes numbers of runs, such as 3,5,8, not \"{}\"",
                    printable(shorten(part, 40)));
      runs.push_back(*run);
    }
  return runs;
}

int show_leaderboards(const LeaderboardFlags& flags) {
  app::LeaderboardRequest request = flags.request;
  auto runs = parse_runs(flags.runs);
  if (!runs) return report(runs.error(), flags.common);
  request.runs = std::move(*runs);
  request.options.unscored = flags.unscored == "drop" ? app::Unscored::Drop : app::Unscored::Worst;
  request.options.threads = std::max(1u, std::thread::hardware_concurrency());
  return show_with_store(
      flags.common,
      [](const app::Leaderboards& found) { fmt::print("{}", render_leaderboards(found)); },
      [&](app::Context& context) { return app::make_leaderboards(context, request); });
}

void add_board_flags(CLI::App& command, LeaderboardFlags& flags) {
  command.add_option("--runs", flags.runs, "only these runs: 3,5,8")
      ->type_name("RUNS")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--tag", flags.request.tag, "only runs with this tag")
      ->type_name("TAG")
      ->excludes("--runs");
  command
      .add_option("--since", flags.request.since, "only runs started on this day or later (UTC)")
      ->type_name("DATE")
      ->excludes("--runs");
  command
      .add_option("--score", flags.request.score,
                  "which score to rank by, of items with several (default: the main one)")
      ->type_name("NAME");
  add_flag_with_value(command, "--base", flags.request.base,
                      "model that the others are compared with")
      ->type_name("MODEL");
  command
      .add_option("--unscored", flags.unscored,
                  "refused, empty and abstained items: worst (they count as the worst score, the "
                  "default) or drop (they are left out)")
      ->check(CLI::IsMember({"worst", "drop"}))
      ->type_name("worst|drop");
  add_flag_with_value(command, "--confidence", flags.request.options.confidence,
                      "chance that all ranks of a board are right (default 0.95)")
      ->check(make_open_range(0, 1));
  add_common_flags(command, flags.common);
}

}  // namespace

void add_leaderboard(CLI::App& program) {
  const auto flags = std::make_shared<LeaderboardFlags>();
  CLI::App* command =
      add_command(program, "leaderboard", "Rank the models of stored runs, with the ranks that fit",
                  kLeaderboardExamples, [flags] { return show_leaderboards(*flags); });
  command->add_option("EVALUATION", flags->request.evaluation,
                      "gym, bench, lens, … (default: all)");
  add_board_flags(*command, *flags);
}

void add_gym_leaderboard(CLI::App& gym) {
  const auto flags = std::make_shared<LeaderboardFlags>();
  flags->request.evaluation = "gym";
  CLI::App* command = add_command(gym, "leaderboard", "Rank stored runs and published scores",
                                  kGymBoardExamples, [flags] { return show_leaderboards(*flags); });
  add_board_flags(*command, *flags);
}

}  // namespace personascope::cli
