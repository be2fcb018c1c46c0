// Krippendorff's alpha: agreement of any number of raters, with missing ratings, on any level.
#pragma once

#include <span>

#include "stats/estimate.hpp"
#include "stats/ratings.hpp"

namespace personascope::stats {

enum class Level {
  Nominal,   // names
  Ordinal,   // 1..5 as ranks: the usual choice for scores
  Interval,  // distances count
  Ratio,     // relative distances count; values must not be negative
};

// Items with a single rating do not count. Ratio takes time quadratic in the number of distinct
// values, the others that of sorting. n is the number of pairable ratings, `clusters` of items; for
// an interval put the statistic through `bootstrap`. Fails where nothing can be paired (a single
// rater, say), where all ratings are equal, where a rater rated an item twice, and on more than
// 5,000 distinct values by ratio.
Result<Estimate> krippendorff_alpha(std::span<const Rating> ratings, Level level = Level::Ordinal);

}  // namespace personascope::stats
