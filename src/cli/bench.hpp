// `bench` and the commands below it, a file each where they are more than flags.
#pragma once

#include "cli/command.hpp"

namespace personascope::cli {

void add_bench(CLI::App& program);
void add_bench_personas(CLI::App& bench);

}  // namespace personascope::cli
