// What judges found, for people: scores, who could not be scored, canaries, agreement.
#pragma once

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// `results` as judge::Tally gives them; empty for anything else.
std::string render_judge_results(const Json& results);

}  // namespace personascope::cli
