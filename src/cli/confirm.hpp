// A question to the person at the terminal.
#pragma once

#include <optional>
#include <string>

namespace personascope::cli {

// Asks and returns whether the answer was yes; nothing if nobody can be asked, since standard input
// or standard error is no terminal.
std::optional<bool> confirm(const std::string& question);

}  // namespace personascope::cli
