// What lists of runs and single runs show alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/run_types.hpp"
#include "app/runs.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {

// A run that is done without any score or answer is not green.
Colour colour_of(const app::RunEntry& run);

// "20 items: 18 scored, 2 refused"; what is still open is said too.
std::string render_outcomes(const app::OutcomeCounts& outcomes, std::int64_t items);

// "  3 x failed: timeout: …", a line for each reason, in at most `columns`.
std::string render_reasons(const std::vector<app::Reason>& reasons, std::size_t columns);

}  // namespace personascope::cli
