#include "stats/paired.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "stats/check.hpp"
#include "stats/clustered.hpp"
#include "stats/distribution.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// Equal differences have no spread: the interval allows for items that were not seen.
void add_interval_of_equal(Estimate& difference, double width, double confidence) {
  const double half = half_width_of_equal(difference.n, width, (1 - confidence) / 2);
  difference.interval =
      Interval{std::max(difference.value - half, -width), std::min(difference.value + half, width)};
  difference.interval_method = "equal differences, unseen items by the whole scale";
}

}  // namespace

double half_width_of_equal(std::size_t n, double width, double tail) {
  return width * (1 - std::pow(tail, 1 / real(n)));
}

Result<PairedComparison> compare_paired(std::span<const double> first,
                                        std::span<const double> second,
                                        std::span<const std::size_t> clusters,
                                        const IntervalOptions& options, const TestPlan& plan) {
  if (first.empty() && second.empty()) return fail(ErrorKind::Invalid, "no item has both scores");
  RETURN_IF_ERROR(check_on_scale(first, options.scale, "first scores"));
  RETURN_IF_ERROR(check_on_scale(second, options.scale, "second scores"));
  RETURN_IF_ERROR(check_same_size(first.size(), second.size(), "first and second scores"));
  std::vector<double> differences(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) differences[i] = second[i] - first[i];

  const double width = options.scale.high - options.scale.low;
  ASSIGN_OR_RETURN(Estimate difference, clustered_mean(differences, clusters,
                                                       {.scale = {-width, width},
                                                        .confidence = options.confidence,
                                                        .weight = options.weight}));
  difference.method = "paired difference, " + difference.method;
  PairedComparison comparison;
  if (difference.interval && *difference.standard_error > 0) {
    const double error = *difference.standard_error;
    comparison.p_value = t_two_sided_p(difference.value / error, *difference.df);
    ASSIGN_OR_RETURN(comparison.minimum_detectable,
                     minimum_detectable_difference(error, *difference.df, plan));
  }
  const bool are_equal =
      std::ranges::adjacent_find(differences, std::ranges::not_equal_to{}) == differences.end();
  if (are_equal && std::isfinite(width) && !difference.has(Caveat::NoError) &&
      !difference.has(Caveat::TooFewForInterval))
    add_interval_of_equal(difference, width, options.confidence);
  comparison.difference = std::move(difference);
  return comparison;
}

}  // namespace personascope::stats
