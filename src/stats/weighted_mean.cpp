#include "stats/weighted_mean.hpp"

#include <algorithm>

#include "stats/check.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {

Result<WeightedMean> weighted_mean(std::span<const double> values, std::span<const double> weights,
                                   std::span<const std::size_t> clusters,
                                   const IntervalOptions& options) {
  RETURN_IF_ERROR(check_on_scale(values, options.scale, "the scores"));
  RETURN_IF_ERROR(check_values(weights, "the weights"));
  RETURN_IF_ERROR(check_same_size(values.size(), weights.size(), "scores and weights"));
  RETURN_IF_ERROR(check_same_size(values.size(), clusters.size(), "scores and clusters"));
  if (std::ranges::any_of(weights, [](double weight) { return !(weight > 0); }))
    return fail(ErrorKind::Invalid, "a weight is not above 0");
  Sum whole, weighted, squares;
  for (std::size_t i = 0; i < values.size(); ++i) {
    whole.add(weights[i]);
    weighted.add(weights[i] * values[i]);
    squares.add(weights[i] * weights[i]);
  }
  WeightedMean mean;
  mean.estimate.value = weighted.value() / whole.value();
  mean.effective_n = whole.value() * whole.value() / squares.value();
  const Grouping grouping = make_grouping(clusters);
  mean.estimate.n = values.size();
  mean.estimate.clusters = grouping.count;
  mean.estimate.method = "weighted, linearized, clustered, CR1, t(G-1)";
  std::vector<double> residuals(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    residuals[i] = weights[i] * (values[i] - mean.estimate.value);
  Sum spread;
  for (const double sum : total_by_cluster(residuals, grouping).sums) spread.add(sum * sum);
  const double count = real(grouping.count);
  const double factor = grouping.count < 2 ? 0 : count / (count - 1);
  const double variance = factor * spread.value() / (whole.value() * whole.value());
  ASSIGN_OR_RETURN(mean.estimate,
                   with_t_interval(std::move(mean.estimate), variance, count - 1, options));
  return mean;
}

}  // namespace personascope::stats
