// What a run of the gym found, for people.
#pragma once

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// Empty if the results are not the gym's.
std::string render_gym_results(const Json& results);

}  // namespace personascope::cli
