#include "stats/rank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/check.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

Result<void> check_pairs(std::span<const double> x, std::span<const double> y) {
  RETURN_IF_ERROR(check_values(x, "first values"));
  RETURN_IF_ERROR(check_values(y, "second values"));
  RETURN_IF_ERROR(check_same_size(x.size(), y.size(), "first and second values"));
  const auto varies = [](std::span<const double> values) {
    const auto [low, high] = std::ranges::minmax(values);
    return low < high;
  };
  if (!varies(x) || !varies(y)) {
    return fail(ErrorKind::Invalid, "one side does not vary: its correlation is undefined");
  }
  return {};
}

// Tied pairs of a list in which equal entries stand together.
template <class Entry>
double count_tied_pairs(const std::vector<Entry>& entries) {
  double pairs = 0;
  for (std::size_t first = 0; first < entries.size();) {
    std::size_t last = first;
    while (last < entries.size() && entries[last] == entries[first]) ++last;
    pairs += real(last - first) * real(last - first - 1) / 2;
    first = last;
  }
  return pairs;
}

// Sorts values[first, last) and returns how many pairs stood in the wrong order.
double sort_and_count(std::vector<double>& values, std::vector<double>& scratch, std::size_t first,
                      std::size_t last) {
  if (last - first < 2) return 0;
  const std::size_t middle = first + (last - first) / 2;
  double inversions = sort_and_count(values, scratch, first, middle) +
                      sort_and_count(values, scratch, middle, last);
  std::size_t left = first;
  std::size_t right = middle;
  for (std::size_t out = first; out < last; ++out) {
    const bool take_right = left == middle || (right < last && values[right] < values[left]);
    if (take_right) inversions += real(middle - left);
    scratch[out] = take_right ? values[right++] : values[left++];
  }
  std::copy(scratch.begin() + static_cast<std::ptrdiff_t>(first),
            scratch.begin() + static_cast<std::ptrdiff_t>(last),
            values.begin() + static_cast<std::ptrdiff_t>(first));
  return inversions;
}

struct PairCounts {
  double all = 0;
  double concordant_minus_discordant = 0;
  double tied_in_x = 0;
  double tied_in_y = 0;
};

// Knight's method: sort by x, then the inversions of y are the discordant pairs.
PairCounts count_pairs(std::span<const double> x, std::span<const double> y) {
  std::vector<std::pair<double, double>> points(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) points[i] = {x[i], y[i]};
  std::ranges::sort(points);
  std::vector<double> sorted_x;
  std::vector<double> by_x;
  for (const auto& [first, second] : points) {
    sorted_x.push_back(first);
    by_x.push_back(second);
  }
  std::vector<double> scratch(by_x.size());
  const double discordant = sort_and_count(by_x, scratch, 0, by_x.size());

  PairCounts counts;
  counts.all = real(x.size()) * real(x.size() - 1) / 2;
  counts.tied_in_x = count_tied_pairs(sorted_x);
  counts.tied_in_y = count_tied_pairs(by_x);
  const double tied_in_both = count_tied_pairs(points);
  counts.concordant_minus_discordant =
      counts.all - counts.tied_in_x - counts.tied_in_y + tied_in_both - 2 * discordant;
  return counts;
}

}  // namespace

std::vector<double> mid_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = (real(first + last) + 1) / 2;
    first = last;
  }
  return ranks;
}

Result<Estimate> spearman(std::span<const double> x, std::span<const double> y) {
  RETURN_IF_ERROR(check_pairs(x, y));
  const std::vector<double> ranks_x = mid_ranks(x);
  const std::vector<double> ranks_y = mid_ranks(y);
  const double correlation =
      cross_deviations(ranks_x, ranks_y) /
      (std::sqrt(squared_deviations(ranks_x)) * std::sqrt(squared_deviations(ranks_y)));
  return bare_estimate(std::clamp(correlation, -1.0, 1.0), x.size(), "Spearman");
}

Result<Estimate> kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  RETURN_IF_ERROR(check_pairs(x, y));
  const PairCounts counts = count_pairs(x, y);
  const double tau = counts.concordant_minus_discordant / std::sqrt(counts.all - counts.tied_in_x) /
                     std::sqrt(counts.all - counts.tied_in_y);
  return bare_estimate(std::clamp(tau, -1.0, 1.0), x.size(), "Kendall tau-b");
}

}  // namespace personascope::stats
