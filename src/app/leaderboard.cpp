#include "app/leaderboard.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <vector>

#include "app/runs.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "judge/summary.hpp"
#include "report/run_items.hpp"
#include "report/run_scores.hpp"

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

// Runs of which a board makes sense: done, graded, and with a model under test.
bool can_be_ranked(const RunEntry& entry) {
  return entry.state == RunState::Done && !entry.model.empty() && entry.headline.has_value();
}

// "2026-11-01", or with "T12:00" and so on, as runs say when they started.
Result<void> check_since(const std::string& text) {
  const std::string form = "0000-00-00";
  bool is_date = text.size() >= form.size();
  for (std::size_t i = 0; is_date && i < form.size(); ++i)
    is_date = form[i] == '-' ? text[i] == '-' : text[i] >= '0' && text[i] <= '9';
  if (is_date && (text.size() == form.size() || text[10] == 'T' || text[10] == ' ')) return {};
  return fail(ErrorKind::Invalid, "`since` must be a date such as 2026-11-01, not \"{}\"",
              printable(shorten(text, 60)));
}

Result<std::vector<std::int64_t>> choose_runs(store::Reader& reader,
                                              const LeaderboardRequest& request) {
  if (!request.runs.empty()) {
    std::vector<std::int64_t> runs = request.runs;
    std::ranges::sort(runs);
    runs.erase(std::ranges::unique(runs).begin(), runs.end());
    return runs;
  }
  RunFilter filter;
  filter.evaluation = request.evaluation;
  filter.tag = request.tag;
  filter.limit = std::numeric_limits<std::int64_t>::max();
  ASSIGN_OR_RETURN(const std::vector<RunEntry> listed, reader.load_runs(filter));
  std::vector<std::int64_t> runs;
  for (const RunEntry& entry : listed) {
    const bool is_new = !request.since || entry.started_at.substr(0, request.since->size()) >=
                                              replace_all(*request.since, " ", "T");
    // Why a run that was chosen cannot be ranked is said; of all others it is not worth a word.
    if (is_new && (request.chooses() || can_be_ranked(entry))) runs.push_back(entry.id);
  }
  return runs;
}

// Why the run stands on no board; nothing if its items may tell.
Result<std::optional<LeftOut>> find_reason_against(store::Reader& reader, std::int64_t run,
                                                   const std::optional<std::string>& evaluation) {
  ASSIGN_OR_RETURN(const RunRecord record, reader.load_run(run));
  std::optional<LeftOut> reason;
  if (evaluation && record.command != *evaluation)
    reason = LeftOut{run, "other_evaluation",
                     fmt::format("run {} is of {}", run, printable(record.command))};
  else if (record.state != RunState::Done)
    reason =
        LeftOut{run, "not_done",
                fmt::format("run {} is not done; `personascope resume {}` continues it", run, run)};
  else if (record.model.empty())
    reason = LeftOut{run, "no_model", fmt::format("run {} has no model under test", run)};
  return reason;
}

// Whether one of the board's judges is a tiny model.
bool is_demo(const Board& board) {
  for (const char* member : {"judge", "judges"}) {
    const auto found = board.settings.find(member);
    if (found == board.settings.end()) continue;
    for (const std::string_view name : split(found->second, ','))
      if (judge::is_tiny(std::string(trim(name)))) return true;
  }
  return false;
}

Result<void> check_base(const Leaderboards& found, const std::string& base) {
  std::vector<std::string> known;
  for (const Board& board : found.boards)
    for (const BoardRow& row : board.rows) {
      known.push_back(row.name);
      if (is_base(row, base)) return {};
    }
  if (found.published) {
    for (const PublishedRow& row : found.published->rows) known.push_back(row.entry.model);
    if (found.published->base) return {};
  }
  return fail(ErrorKind::Invalid, "there is no row for \"{}\"; there are: {}", printable(base),
              printable(shorten(join(known, ", "), 400)));
}

}  // namespace

Result<report::BoardRun> load_board_run(store::Reader& reader, std::int64_t run,
                                        const std::optional<std::string>& score) {
  ASSIGN_OR_RETURN(const report::RunItems items, report::load_run_items(reader, run));
  const auto name = score ? score : report::find_main_score(items);
  ASSIGN_OR_RETURN(const auto scale, report::load_run_scale(reader, run, name));
  return report::make_board_run(items, score, scale);
}

bool is_base(const BoardRow& row, std::string_view base) {
  return lower(row.name) == lower(base) || lower(row.model) == lower(base);
}

Result<Leaderboards> make_leaderboards(Context& context, const LeaderboardRequest& request) {
  Leaderboards found;
  found.base = request.base;
  if (request.since) RETURN_IF_ERROR(check_since(*request.since));
  // Without a store there may still be published scores.
  ASSIGN_OR_RETURN(store::Reader * reader, context.find_reader());
  if (!reader && !request.runs.empty())
    return fail(ErrorKind::NotFound, "there is no run {}", request.runs.front());
  std::vector<std::int64_t> runs;
  if (reader) {
    ASSIGN_OR_RETURN(runs, choose_runs(*reader, request));
  }
  std::vector<report::BoardRun> loaded;
  for (const std::int64_t run : runs) {
    ASSIGN_OR_RETURN(auto reason, find_reason_against(*reader, run, request.evaluation));
    if (reason) {
      found.left_out.push_back(std::move(*reason));
      continue;
    }
    auto one = load_board_run(*reader, run, request.score);
    if (one)
      loaded.push_back(std::move(*one));
    else if (one.error().kind == ErrorKind::Invalid)
      found.left_out.push_back({run, "no_scores", one.error().message});
    else
      return std::unexpected(one.error());
  }
  ASSIGN_OR_RETURN(found.boards, report::make_boards(loaded, request.options));
  for (Board& board : found.boards)
    if (is_demo(board)) board.notes.insert(board.notes.begin(), NotedNumber{BoardNote::Demo, 0});
  std::ranges::stable_partition(found.boards, [](const Board& board) { return !is_demo(board); });

  const bool has_published = !request.chooses() && request.evaluation.value_or("gym") == "gym";
  std::vector<LeaderboardEntry> entries;
  if (has_published) RETURN_IF_ERROR(add_published(context, entries));
  if (!entries.empty()) {
    const bool has_base = request.base && std::ranges::any_of(entries, [&](const auto& entry) {
                            return lower(entry.model) == lower(*request.base);
                          });
    ASSIGN_OR_RETURN(found.published,
                     eval::personagym::make_leaderboard(std::move(entries),
                                                        has_base ? request.base : std::nullopt,
                                                        request.options.confidence));
  }
  if (found.boards.empty() && !found.published)
    return fail(ErrorKind::Invalid, "there is nothing to rank: {}",
                found.left_out.empty() ? "no run that is done, with scores of a model under test"
                                       : found.left_out.front().sentence);
  if (request.base) RETURN_IF_ERROR(check_base(found, *request.base));
  return found;
}

Json to_json(const Leaderboards& leaderboards) {
  Json boards = Json::array();
  for (const Board& board : leaderboards.boards) boards.push_back(report::to_json(board));
  Json left_out = Json::array();
  for (const LeftOut& run : leaderboards.left_out)
    left_out.push_back({{"run", run.run}, {"code", run.code}, {"sentence", run.sentence}});
  const auto& published = leaderboards.published;
  return {{"boards", boards},
          {"published", published ? eval::personagym::to_json(*published) : Json(nullptr)},
          {"base", leaderboards.base ? Json(*leaderboards.base) : Json(nullptr)},
          {"left_out", left_out}};
}

}  // namespace personascope::app
