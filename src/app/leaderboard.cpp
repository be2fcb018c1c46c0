#include "app/leaderboard.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <vector>

#include "app/runs.hpp"
#include "app/score_sources.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::app {
namespace {

namespace fs = std::filesystem;
using eval::personagym::LeaderboardEntry;

constexpr std::size_t kLargestFile = 16u << 20;

std::vector<std::string> find_published_files(const Context& context) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(context.home() + "/packs", error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path path = entry->path() / "published.json";
    std::error_code ignored;
    if (!entry->path().filename().string().starts_with('.') && fs::is_regular_file(path, ignored))
      paths.push_back(path.string());
  }
  std::ranges::sort(paths);
  return paths;
}

// Two packs may hold the same scores.
Result<void> add_published(const Context& context, std::vector<LeaderboardEntry>& entries) {
  std::vector<Json> seen;
  for (const std::string& path : find_published_files(context)) {
    ASSIGN_OR_RETURN(const std::string text, files::load_text(path, kLargestFile));
    const auto rows = parse_json(text);
    if (!rows || !rows->is_array())
      return fail(ErrorKind::Invalid, "{} is not a list of scores; import the pack again",
                  printable(path));
    for (const Json& row : *rows) {
      if (std::ranges::find(seen, row) != seen.end()) continue;
      auto entry = eval::personagym::read_published_entry(row);
      if (!entry)
        return fail(ErrorKind::Invalid, "{}: {}; import the pack again", printable(path),
                    entry.error().message);
      entries.push_back(std::move(*entry));
      seen.push_back(row);
    }
  }
  return {};
}

Result<void> add_runs(Context& context, std::vector<LeaderboardEntry>& entries) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.find_reader());
  if (!reader) return {};
  RunFilter filter;
  filter.evaluation = "gym";
  filter.limit = std::numeric_limits<std::int64_t>::max();
  ASSIGN_OR_RETURN(const std::vector<RunEntry> listed, reader->load_runs(filter));
  for (const RunEntry& entry : listed) {
    if (entry.state != RunState::Done) continue;
    ASSIGN_OR_RETURN(const RunRecord run, reader->load_run(entry.id));
    const Json* score = find_member(run.results, "persona_score");
    if (!score || !find_number(*score, "mean")) continue;  // graded nothing
    Json results = run.results;
    results["run"] = run.id;
    if (const auto count = find_integer(run.plan, "questions_per_task"))
      results["questions_per_task"] = *count;
    // A task of which nothing was scored has no mean.
    if (results.contains("tasks") && results["tasks"].is_object())
      for (const auto& [name, figure] : run.results["tasks"].items())
        if (!find_number(figure, "mean")) results["tasks"].erase(name);
    ASSIGN_OR_RETURN(LeaderboardEntry row, eval::personagym::read_run_entry(results));
    for (const std::string& sentence : describe_tiny_judges(run.plan))
      row.notes.push_back(sentence);
    entries.push_back(std::move(row));
  }
  return {};
}

}  // namespace

Result<eval::personagym::Leaderboard> leaderboard(Context& context,
                                                  const LeaderboardCommand& command) {
  std::vector<LeaderboardEntry> entries;
  RETURN_IF_ERROR(add_runs(context, entries));
  RETURN_IF_ERROR(add_published(context, entries));
  return eval::personagym::make_leaderboard(std::move(entries), command.base, command.confidence);
}

}  // namespace personascope::app
