// What the likelihood judge read, for people: lift, identification, controls, who was taken for
// whom.
#pragma once

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// `results` as judge::to_json of a LikelihoodSummary gives them; empty for anything else.
std::string render_lift_results(const Json& results);

}  // namespace personascope::cli
