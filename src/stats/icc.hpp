// Intraclass correlations: how much of the spread of scores is the items' and not the raters'.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

// Names of McGraw and Wong; "mean" forms are about the average of all raters.
enum class Icc {
  OneWaySingle,       // ICC(1,1)
  OneWayMean,         // ICC(1,k)
  AgreementSingle,    // ICC(A,1)
  AgreementMean,      // ICC(A,k): the usual choice for a panel's mean score
  ConsistencySingle,  // ICC(C,1)
  ConsistencyMean,    // ICC(C,k)
};

// `scores` holds one row an item with one score from each of `raters` raters, none missing. For an
// interval put the statistic through `bootstrap`. Fails for fewer than 2 items or raters,
// incomplete rows, and where the scores do not vary enough to define it.
Result<Estimate> intraclass_correlation(std::span<const double> scores, std::size_t raters,
                                        Icc form = Icc::AgreementMean);

}  // namespace personascope::stats
