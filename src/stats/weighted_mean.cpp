#include "stats/weighted_mean.hpp"

#include <algorithm>
#include <vector>

#include "stats/check.hpp"
#include "stats/clustered.hpp"
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
  mean.estimate.method = "weighted, linearized, clustered, CR2, t";
  std::vector<double> residuals(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    residuals[i] = weights[i] * (values[i] - mean.estimate.value) / whole.value();
  const std::vector<double> pulls = total_by_cluster(residuals, grouping).sums;
  std::vector<double> shares = total_by_cluster(weights, grouping).sums;
  for (double& share : shares) share /= whole.value();
  Sum spread;
  if (grouping.count > 1)
    for (std::size_t g = 0; g < grouping.count; ++g)
      spread.add(pulls[g] * pulls[g] / (1 - shares[g]));
  const double df = grouping.count > 1 ? bell_mccaffrey_df(shares) : 0;
  ASSIGN_OR_RETURN(mean.estimate,
                   with_t_interval(std::move(mean.estimate), spread.value(), df, options));
  return mean;
}

}  // namespace personascope::stats
