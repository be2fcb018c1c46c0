// The ranking of the gym's stored runs and of the published scores in imported packs.
#pragma once

#include <optional>
#include <string>

#include "app/context.hpp"
#include "base/result.hpp"
#include "eval/personagym/leaderboard.hpp"

namespace personascope::app {

using eval::personagym::Leaderboard;
using eval::personagym::LeaderboardRow;
using eval::personagym::RankRange;

struct LeaderboardCommand {
  std::optional<std::string> base;  // the model to which all are compared
  double confidence = 0.95;         // of the ranks
};

// Runs that are done and have a PersonaScore, and every pack's published.json. Fails as Invalid if
// there is nothing to rank, no such base, or a file that cannot be read.
Result<Leaderboard> leaderboard(Context& context, const LeaderboardCommand& command);

}  // namespace personascope::app
