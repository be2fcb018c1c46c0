// Leaderboards of stored runs: which runs may stand on one board, and which ranks their scores
// support.
//
// One board: runs of one evaluation, with the same items (ids, questions and personas), protocol,
// judges, prompts and data. Whatever differs in one of these is on another board. One row: a model
// with its settings (temperature, deployment, address, …); several runs of it are pooled, item by
// item.
//
// A claim "A is above B" is paired by item and clustered by persona: sign flips of whole personas,
// all pairs of rows at once, step down (stats/sign_flip.hpp). So the chance that any claim of the
// board is false is at most 1 - confidence, and all ranges of ranks hold together: the best rank is
// 1 + the rows claimed to be above, the worst the number of rows less those claimed to be below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/outcome.hpp"
#include "report/comparability.hpp"
#include "report/outcome_comparison.hpp"
#include "report/run_items.hpp"
#include "stats/estimate.hpp"

namespace personascope::report {

struct BoardItem {
  std::string id;
  std::string cluster;
  std::string label;
  core::Outcome outcome = core::Outcome::Scored;
  std::optional<double> score;
  Json judges{};  // by judge, where several scored it
};

// What a board needs of a run, without the texts.
struct BoardRun {
  std::int64_t run = 0;
  std::string evaluation;  // the command
  std::string model;       // under test
  std::string score;       // which of several; empty if items have one
  PlanSettings settings;
  std::optional<stats::Scale> scale;
  std::string asked;             // a hash of all ids and what was asked
  std::vector<BoardItem> items;  // sorted by id
};

// Fails as Invalid if the run has no model under test or no such score.
Result<BoardRun> make_board_run(const RunItems& run, const std::optional<std::string>& score,
                                const std::optional<stats::Scale>& scale);

struct BoardOptions {
  Unscored unscored = Unscored::Worst;  // dropped all the same where the scale has no ends
  double confidence = 0.95;             // that no claim of a board is false
  std::uint64_t seed = 0;
  std::size_t flips = 9999;
  unsigned threads = 1;  // affects only the time, not the result
};

struct RankRange {
  std::size_t best = 1;
  std::size_t worst = 1;
};

struct BoardRow {
  std::string name;  // the model, with settings where rows share it
  std::string model;
  Settings settings;               // of the model
  std::vector<std::int64_t> runs;  // pooled, in order
  Result<stats::Estimate> mean;
  core::OutcomeCounts outcomes;  // over all runs
  std::size_t filled = 0;        // items that count as the worst score in one of the runs
  std::size_t rank = 1;          // by the means alone; equal means share one
  RankRange ranks;
  std::map<std::string, double> by_label{};  // means by task or mode
};

// Two rows of a board, by number; `first` has the higher mean of the items that both have.
struct BoardPair {
  std::size_t first = 0;
  std::size_t second = 0;
  std::size_t items = 0;
  double difference = 0;
  double p_value = 1;  // adjusted for all pairs
  bool is_claimed = false;
};

enum class BoardNote {
  Demo,          // a judge is a tiny model; set by the caller
  OneRow,        // nothing to compare with
  TooFew,        // too few personas for any claim
  Filled,        // items without a score count as the worst one
  ScaleUnknown,  // such items are left out, since the scale is not known
  Failed,        // failed items are left out
};
std::string_view code_of(BoardNote note);  // "too_few"

struct NotedNumber {
  BoardNote note = BoardNote::OneRow;
  std::int64_t number = 0;  // of items, or of clusters
};

struct Board {
  std::string evaluation;
  std::string score;  // which of several; empty if items have one
  Settings settings;  // of the test
  Settings apart;     // of these, and "items", what no other board of the evaluation has alike
  std::optional<stats::Scale> scale;
  std::size_t items = 0;
  std::size_t clusters = 0;
  bool is_clustered = true;
  Unscored unscored = Unscored::Worst;
  double confidence = 0.95;
  std::string method;               // of the claims
  std::vector<BoardRow> rows;       // best first
  std::vector<BoardPair> pairs;     // all of them
  std::vector<std::string> labels;  // of by_label, if there are several
  std::vector<NotedNumber> notes;
};

// Boards with more rows first. Fails as Invalid if the confidence is not between 0 and 1.
Result<std::vector<Board>> make_boards(const std::vector<BoardRun>& runs,
                                       const BoardOptions& options);

Json to_json(const Board& board);

}  // namespace personascope::report
