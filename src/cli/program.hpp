// The command line as a whole.
#pragma once

namespace personascope::cli {

// Runs the program and returns its exit code.
int run(int argc, char** argv);

}  // namespace personascope::cli
