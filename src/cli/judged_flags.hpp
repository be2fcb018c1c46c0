// Flags of the commands that set human labels beside a judge's scores.
#pragma once

#include <cstddef>

#include "app/score_sources.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"

namespace personascope::cli {

void add_judged_flags(CLI::App& command, app::JudgedItems& items);
// "; 3 without a judge's score left out", or nothing if there are none.
std::string describe_unjudged(std::size_t labels);
// That so many labels are of no item, if any are.
void add_unmatched(std::size_t labels, Notes& notes);

}  // namespace personascope::cli
