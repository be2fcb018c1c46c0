// Several judges on one answer: their verdicts as one, and when a further judge is worth asking.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/verdict.hpp"
#include "stats/estimate.hpp"
#include "stats/ratings.hpp"

namespace personascope::judge {

enum class PanelRule { Mean, Median };

// "mean", "median".
std::string_view name_of(PanelRule rule);
std::optional<PanelRule> find_panel_rule(std::string_view name);

// The score of those who scored; where none did, the first of refused, cannot assess and failed
// that there is. One judge's verdict is the panel's. Expects at least one.
core::Verdict combine_panel(std::span<const core::Verdict> verdicts, PanelRule rule);

// Whether two judges' scores differ by 2 or more.
bool differs_widely(std::span<const core::Verdict> verdicts);

// How many independent judges the panel is worth at least (Kish), from the correlations of the
// judges' scores over the items that all of them scored. Their agreement on what is true counts as
// a shared error here, so it is a lower bound. Fails as Invalid for one judge, fewer than 3 such
// items, and a judge who gave one and the same score throughout.
Result<double> least_effective_votes(std::span<const stats::Rating> ratings, std::size_t judges);

}  // namespace personascope::judge
