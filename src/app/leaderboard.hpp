// Leaderboards of stored runs of every evaluation, and of the published scores in imported packs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personagym/leaderboard.hpp"
#include "report/board.hpp"

namespace personascope::app {

// For user interfaces, which include app, core and base only.
using report::Board;
using report::BoardNote;
using report::BoardPair;
using report::BoardRow;
using report::NotedNumber;
using report::RankRange;
using report::Unscored;
using PublishedBoard = eval::personagym::Leaderboard;
using PublishedRow = eval::personagym::LeaderboardRow;

struct LeaderboardRequest {
  std::optional<std::string> evaluation;  // the command: "gym"; nothing: all
  std::vector<std::int64_t> runs;         // empty: all that are done
  std::optional<std::string> tag;         // only runs with it
  std::optional<std::string> since;       // a date, "2026-11-01", or a time of it in UTC
  std::optional<std::string> score;       // of items with several
  std::optional<std::string> base;        // the model to which all are compared
  report::BoardOptions options;

  bool chooses() const { return !runs.empty() || tag || since; }
};

// A run that stands on no board, and why.
struct LeftOut {
  std::int64_t run = 0;
  std::string code;      // "not_done", "no_model", "no_scores" or "other_evaluation"
  std::string sentence;  // for people
};

struct Leaderboards {
  std::vector<Board> boards;                // those judged by a tiny model last
  std::optional<PublishedBoard> published;  // only if no runs are chosen
  std::optional<std::string> base;
  std::vector<LeftOut> left_out;
};

// Fails as Invalid if there is nothing to rank, no such base, a date that is none, or a file of
// published scores that cannot be read; as NotFound if a run that is named does not exist.
Result<Leaderboards> make_leaderboards(Context& context, const LeaderboardRequest& request);

// The run as a board needs it. Fails as Invalid if it is not done or has no such scores.
Result<report::BoardRun> load_board_run(store::Reader& reader, std::int64_t run,
                                        const std::optional<std::string>& score);

// Whether the row is the one that the others are compared with: by its name or model, in any letter
// case.
bool is_base(const BoardRow& row, std::string_view base);

Json to_json(const Leaderboards& leaderboards);

}  // namespace personascope::app
