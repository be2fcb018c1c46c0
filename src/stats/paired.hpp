// Two runs on the same items, compared item by item.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.hpp"
#include "stats/planning.hpp"

namespace personascope::stats {

struct PairedComparison {
  Estimate difference;            // second minus first, clustered (CR2) with t
  std::optional<double> p_value;  // of that t test; nothing below 5 clusters or without variation
  // The smallest difference the comparison could have found; nothing where p_value is nothing. "No
  // difference" is never shown without it.
  std::optional<double> minimum_detectable;
};

// Rows at the same place are the same item; `options.scale` is that of the scores. Fails on empty
// input, different sizes, and values that are not finite or not on the scale. For tests without a
// distribution see sign_flip_test and, for one pair of outcomes a cluster, mcnemar.
Result<PairedComparison> compare_paired(std::span<const double> first,
                                        std::span<const double> second,
                                        std::span<const std::size_t> clusters,
                                        const IntervalOptions& options = {},
                                        const TestPlan& plan = {});

}  // namespace personascope::stats
