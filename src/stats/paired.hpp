// Two runs on the same items, compared item by item.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.hpp"
#include "stats/planning.hpp"

namespace personascope::stats {

struct PairedComparison {
  // Second minus first, clustered (CR2) with t. Where every item differs by the same, for example
  // not at all, there is no spread to go by: then the interval is value ± half_width_of_equal, on
  // a scale with ends and from 5 clusters on.
  Estimate difference;
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

// How far the mean of `n` differences that are all equal may be off: a share of items that is not
// seen among n with the chance `tail`, 1 - tail^(1/n), may differ by the whole `width` of the
// scale.
double half_width_of_equal(std::size_t n, double width, double tail);

}  // namespace personascope::stats
