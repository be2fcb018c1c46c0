// What `lens gather` found, for people; and the commands of the lens that need nothing else.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// What `lens gather` found.
std::string render_gathered(const Json& value);

void add_lens_gather(CLI::App& lens);
void add_lens_profiles(CLI::App& lens);

}  // namespace personascope::cli
