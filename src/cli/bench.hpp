// The commands below `bench` that are more than flags, a file each.
#pragma once

#include "cli/command.hpp"

namespace personascope::cli {

void add_bench_personas(CLI::App& bench);

}  // namespace personascope::cli
