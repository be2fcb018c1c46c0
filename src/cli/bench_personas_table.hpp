// How varied a set of personas is, for people.
#pragma once

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// A table of the attributes and a line on the whole.
std::string render_diversity(const Json& report);

}  // namespace personascope::cli
