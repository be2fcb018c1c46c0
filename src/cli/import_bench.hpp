// `import persona-bench`: what was read, dropped and odd, for people.
#pragma once

#include "app/import_bench.hpp"
#include "cli/command.hpp"

namespace personascope::cli {

// Imports, shows what was found, and returns the exit code.
int run_import_bench(const app::Context& context, const app::BenchImport& command,
                     const CommonFlags& flags);

}  // namespace personascope::cli
