// Completion scripts for shells, made from the command tree.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_tree.hpp"

namespace personascope::cli {

// What the scripts offer for the names of models: "openai/gpt-4o", "embedded/…".
using ModelNames = std::vector<std::string>;

std::string render_bash_completion(const CommandNode& program, const ModelNames& models);
std::string render_zsh_completion(const CommandNode& program, const ModelNames& models);
std::string render_fish_completion(const CommandNode& program, const ModelNames& models);

// Words that stand before a command: after `estimate` those that can be estimated, after `help`
// all.
inline constexpr std::string_view kEstimatedCommands[] = {"batch", "judge", "lift",
                                                          "gym",   "bench", "lens"};

}  // namespace personascope::cli
