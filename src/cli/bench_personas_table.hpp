// How varied a set of personas is, and which of them contradicted themselves, for people.
#pragma once

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// A table of the attributes and a line on the whole.
std::string render_diversity(const Json& report);

// What writing personas found; empty if the results are not of that.
std::string render_written_personas(const Json& results);

}  // namespace personascope::cli
