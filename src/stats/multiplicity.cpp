#include "stats/multiplicity.hpp"

#include <algorithm>
#include <numeric>

#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

Result<void> check_p_values(std::span<const double> p_values) {
  for (const double p : p_values) {
    if (!(p >= 0 && p <= 1)) return fail(ErrorKind::Invalid, "{} is not a p-value", p);
  }
  return {};
}

// The places of the p-values, smallest first.
std::vector<std::size_t> ascending(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  return order;
}

std::vector<double> step_up(std::span<const double> p_values, double penalty) {
  const std::vector<std::size_t> order = ascending(p_values);
  std::vector<double> adjusted(p_values.size());
  double smallest = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t place = order[rank - 1];
    smallest = std::min(smallest, p_values[place] * penalty * real(order.size()) / real(rank));
    adjusted[place] = smallest;
  }
  return adjusted;
}

}  // namespace

Result<std::vector<double>> holm(std::span<const double> p_values) {
  RETURN_IF_ERROR(check_p_values(p_values));
  const std::vector<std::size_t> order = ascending(p_values);
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, p_values[order[i]] * real(order.size() - i)));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

Result<std::vector<double>> benjamini_hochberg(std::span<const double> p_values) {
  RETURN_IF_ERROR(check_p_values(p_values));
  return step_up(p_values, 1);
}

Result<std::vector<double>> benjamini_yekutieli(std::span<const double> p_values) {
  RETURN_IF_ERROR(check_p_values(p_values));
  Sum harmonic;
  for (std::size_t rank = 1; rank <= p_values.size(); ++rank) harmonic.add(1 / real(rank));
  return step_up(p_values, harmonic.value());
}

}  // namespace personascope::stats
