// Gwet's AC1 and AC2: agreement that does not collapse when nearly all scores are alike.
#pragma once

#include <span>

#include "stats/estimate.hpp"
#include "stats/kappa.hpp"
#include "stats/ratings.hpp"

namespace personascope::stats {

// AC1 with nominal weights, else AC2. Missing ratings are allowed; items with a single rating only
// help to know the categories' shares. `scale` lists all possible scores in order. For an interval
// put the statistic through `bootstrap`. Fails where nothing can be paired, on scores off the
// scale, on a scale of fewer than 2 places and on a rater who rated an item twice.
Result<Estimate> gwet_ac(std::span<const Rating> ratings, std::span<const int> scale,
                         AgreementWeights weights = AgreementWeights::Quadratic);

}  // namespace personascope::stats
