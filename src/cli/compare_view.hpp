// What a comparison shows besides the scores: what else differs, outcomes, items and gates.
#pragma once

#include <string>
#include <vector>

#include "app/compare.hpp"
#include "cli/estimate_text.hpp"

namespace personascope::cli {

// Shown before the numbers: settings that differ, and items that were asked something else. Empty
// if nothing does.
std::string render_settings(const app::ComparedRuns& compared);

// Shares of refused, empty, abstained and failed items, and bounds of the means.
std::string render_outcomes(const app::ComparedRuns& compared, Notes& notes);

// Differences that human labels correct. Empty without labels.
std::string render_corrected(const app::ComparedRuns& compared, Notes& notes);

// Equivalence by the margin.
std::string render_margins(const app::ComparedRuns& compared);

// Each item with both scores and answers.
std::string render_item_changes(const std::vector<app::ItemChange>& items);

}  // namespace personascope::cli
