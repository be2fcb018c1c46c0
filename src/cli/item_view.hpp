// An item as people read it: persona, question, answer or conversation, verdicts, calls.
#pragma once

#include <cstddef>
#include <string>

#include "app/run_types.hpp"
#include "app/runs.hpp"

namespace personascope::cli {

// In lines of at most `columns`.
std::string render_item(const app::ItemDetails& details, app::Prompts prompts, std::size_t columns);

}  // namespace personascope::cli
