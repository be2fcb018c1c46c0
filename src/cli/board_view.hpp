// Leaderboards as text.
#pragma once

#include <string>

#include "app/leaderboard.hpp"

namespace personascope::cli {

// All boards, the published scores, and what was left out.
std::string render_leaderboards(const app::Leaderboards& leaderboards);

}  // namespace personascope::cli
