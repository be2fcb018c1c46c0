#include "stats/flip_claims.hpp"

#include <algorithm>
#include <limits>

#include "stats/distribution.hpp"
#include "stats/grouping.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kUnseenKey = std::numeric_limits<std::size_t>::max();

std::vector<Comparison> views_of(const std::vector<const FlipInput*>& inputs) {
  std::vector<Comparison> views;
  for (const FlipInput* input : inputs) views.push_back({input->differences, input->clusters});
  return views;
}

}  // namespace

FlipInput make_flip_input(std::span<const double> first, std::span<const double> second,
                          std::span<const std::size_t> clusters, const Scale& scale,
                          Weight weight) {
  FlipInput input;
  for (std::size_t i = 0; i < first.size(); ++i) input.differences.push_back(second[i] - first[i]);
  input.clusters.assign(clusters.begin(), clusters.end());
  const Grouping grouping = make_grouping(clusters);
  const ClusterTotals totals = total_by_cluster(input.differences, grouping);
  input.sizes = totals.sizes;
  if (const auto unseen = unseen_difference(first, second, clusters, scale))
    input.unseen = *unseen * real(first.size()) / real(grouping.count);
  if (weight == Weight::Row) return input;

  std::vector<std::size_t> keys(grouping.count);
  for (std::size_t i = 0; i < clusters.size(); ++i) keys[grouping.of_row[i]] = clusters[i];
  input.differences.clear();
  for (std::size_t g = 0; g < grouping.count; ++g)
    input.differences.push_back(totals.sums[g] / real(totals.sizes[g]));
  input.clusters = std::move(keys);
  input.sizes.assign(grouping.count, 1);
  if (input.unseen) *input.unseen *= real(grouping.count) / real(first.size());
  return input;
}

Result<std::vector<MaxTResult>> test_flips(const std::vector<const FlipInput*>& inputs,
                                           const SignFlipOptions& options) {
  ASSIGN_OR_RETURN(auto results, max_t_test(views_of(inputs), options));
  if (std::ranges::none_of(inputs,
                           [](const FlipInput* input) { return input->unseen.has_value(); }))
    return results;
  std::vector<FlipInput> with_unseen;
  for (const FlipInput* input : inputs) {
    with_unseen.push_back(*input);
    if (!input->unseen) continue;
    with_unseen.back().differences.push_back(*input->unseen);
    with_unseen.back().clusters.push_back(kUnseenKey);
  }
  std::vector<const FlipInput*> views;
  for (const FlipInput& input : with_unseen) views.push_back(&input);
  ASSIGN_OR_RETURN(const auto cautious, max_t_test(views_of(views), options));
  for (std::size_t k = 0; k < results.size(); ++k) {
    results[k].p_value = std::max(results[k].p_value, cautious[k].p_value);
    results[k].adjusted_p_value =
        std::max(results[k].adjusted_p_value, cautious[k].adjusted_p_value);
    results[k].step_down_p_value =
        std::max(results[k].step_down_p_value, cautious[k].step_down_p_value);
  }
  return results;
}

Result<SharedLevel> shared_flip_level(const std::vector<const FlipInput*>& inputs, double alpha,
                                      const SignFlipOptions& options) {
  return shared_level(views_of(inputs), alpha, options);
}

void make_simultaneous(Estimate& difference, double level, std::size_t comparisons, double width) {
  if (!difference.interval || !difference.df || !difference.standard_error) return;
  difference.method += fmt::format(", simultaneous over {} comparisons", comparisons);
  const double half = -t_quantile(level / 2, *difference.df) * *difference.standard_error;
  difference.interval =
      Interval{std::max(difference.value - half, -width), std::min(difference.value + half, width)};
}

}  // namespace personascope::stats
