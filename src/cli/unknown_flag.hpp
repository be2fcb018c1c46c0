// What to say about a flag that a command does not have: the nearest one, or what is there for the
// same purpose.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace personascope::cli {

// "personascope gym run".
std::string full_name_of(const CLI::App& command);

// A sentence about the first word that looks like a flag and is none of the command's; nothing if
// there is no such word.
std::optional<std::string> find_unknown_flag(const CLI::App& command,
                                             const std::vector<std::string>& words);

}  // namespace personascope::cli
