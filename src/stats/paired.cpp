#include "stats/paired.hpp"

#include <vector>

#include "stats/check.hpp"
#include "stats/clustered.hpp"
#include "stats/distribution.hpp"

namespace personascope::stats {

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
  comparison.difference = std::move(difference);
  return comparison;
}

}  // namespace personascope::stats
