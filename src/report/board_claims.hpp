// Which rows of a leaderboard are claimed to be above which: every pair, adjusted for all of them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "report/board.hpp"
#include "report/score_table.hpp"

namespace personascope::report {

struct Claims {
  std::vector<BoardPair> pairs;  // every pair of columns, by number
  std::string method;            // empty if there is no pair
};

// Each pair on the items that both columns have. Sign flips of clusters, max-T step down over all
// pairs; where that is too much work, paired t tests adjusted by Holm. Five clusters never support
// a claim at 95 %, whatever their spread: 2 of 32 patterns of signs are as extreme.
Result<Claims> make_claims(const ScoreTable& table, const BoardOptions& options);

}  // namespace personascope::report
