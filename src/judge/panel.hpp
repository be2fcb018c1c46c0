// Several judges on one answer: their combined verdict, and when a further judge is asked.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/verdict.hpp"
#include "stats/estimate.hpp"
#include "stats/ratings.hpp"

namespace personascope::judge {

enum class PanelRule { Mean, Median };

// "mean", "median".
std::string_view name_of(PanelRule rule);
std::optional<PanelRule> find_panel_rule(std::string_view name);

// Refused if more than half say that the answer declines. Else the score of those who scored; where
// none did, the first of refused, cannot assess and failed
// that there is. One judge's verdict is the panel's. Expects at least one.
core::Verdict combine_panel(std::span<const core::Verdict> verdicts, PanelRule rule);

inline constexpr double kWideDifference = 2;

// Whether two judges' scores differ by that or more.
bool differs_widely(std::span<const core::Verdict> verdicts);

// How far the first `judges` agree: Krippendorff's alpha, ordinal, where n is of items that two
// have scored. `clusters` has one key an item, by its number in the ratings. Takes a second at
// most. Fails as krippendorff_alpha does.
Result<stats::Estimate> measure_agreement(std::span<const stats::Rating> ratings,
                                          std::size_t judges,
                                          std::span<const std::size_t> clusters);

// How many independent judges the first `judges` are worth at least (Kish), from the correlations
// of their scores over the items that all of them scored, which n counts. Their agreement on what
// is true counts as a shared error here, so it is a lower bound, and has no interval. Fails as
// Invalid for one judge, fewer than 3 such items, and a judge who gave the same score to every
// item.
Result<stats::Estimate> least_effective_votes(std::span<const stats::Rating> ratings,
                                              std::size_t judges);

}  // namespace personascope::judge
