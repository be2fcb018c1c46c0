// Flags made from the descriptions of options, and messages in which options are named as flags.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "core/option.hpp"

namespace personascope::cli {

// Gets the value of an option that was typed or found in its variable, checked.
using TakeValue = std::function<void(const core::OptionSpec& spec, Json value)>;

// Adds a flag (or an argument) for each option, with its spellings, its variable and its help.
void add_option_flags(CLI::App& command, const std::vector<core::OptionSpec>& options,
                      const TakeValue& take);

// The same; the values become members of the object `given`, which outlives the command.
void add_option_flags(CLI::App& command, const std::vector<core::OptionSpec>& options, Json& given);

// The text with every option in backquotes named by its flag: one of `options`, or else of any
// command.
std::string name_flags(std::string_view text, const std::vector<core::OptionSpec>& options);

}  // namespace personascope::cli
