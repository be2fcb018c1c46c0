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

}  // namespace personascope::stats
