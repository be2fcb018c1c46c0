// What the lens found, as tables for people; and the commands that need nothing else.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// The results of a run of the lens; empty for any other run's.
std::string render_lens_results(const Json& results);

// What `lens gather` found.
std::string render_gathered(const Json& value);

void add_lens_gather(CLI::App& lens);
void add_lens_profiles(CLI::App& lens);

}  // namespace personascope::cli
