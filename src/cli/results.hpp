// What a run found, for people, whichever command it was.
#pragma once

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// Empty if there is nothing to show.
std::string render_results(const Json& results);

}  // namespace personascope::cli
