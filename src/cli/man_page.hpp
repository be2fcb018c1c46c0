// The manual page, made from the command tree, in the language of man (roff).
#pragma once

#include <string>
#include <string_view>

#include "cli/command_tree.hpp"

namespace personascope::cli {

std::string render_man_page(const CommandNode& program, std::string_view version);

// Plain text as roff prints it as it is. Exposed for tests.
std::string escape_roff(std::string_view text);

}  // namespace personascope::cli
