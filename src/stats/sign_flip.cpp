#include "stats/sign_flip.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>
#include <ranges>
#include <tuple>

#include "base/random.hpp"
#include "stats/check.hpp"
#include "stats/grouping.hpp"
#include "stats/parallel.hpp"
#include "stats/score_mean.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// Patterns that give the observed statistic in other order of summation must count as equal to it.
constexpr double kTie = 1 - 1e-12;

// Each comparison's cluster sums over the root of their squares; that root no flip changes.
struct Standardised {
  std::vector<std::vector<double>> columns;
  std::vector<double> observed;  // |sum of the column|
  std::size_t clusters = 0;
};

Result<Standardised> standardise(std::span<const Comparison> comparisons) {
  std::vector<std::size_t> all_keys;
  for (const Comparison& comparison : comparisons) {
    RETURN_IF_ERROR(check_values(comparison.differences, "differences"));
    RETURN_IF_ERROR(check_same_size(comparison.differences.size(), comparison.clusters.size(),
                                    "differences and cluster keys"));
    all_keys.insert(all_keys.end(), comparison.clusters.begin(), comparison.clusters.end());
  }
  Grouping all = make_grouping(all_keys);
  Standardised result;
  result.clusters = all.count;
  std::size_t first_row = 0;
  for (const Comparison& comparison : comparisons) {
    const std::size_t rows = comparison.differences.size();
    const auto begin = all.of_row.begin() + static_cast<std::ptrdiff_t>(first_row);
    const Grouping own{.of_row = {begin, begin + static_cast<std::ptrdiff_t>(rows)},
                       .count = all.count};
    std::vector<double> column = total_by_cluster(comparison.differences, own).sums;
    Sum squares;
    for (const double value : column) squares.add(value * value);
    if (!std::isfinite(squares.value())) {
      return fail(ErrorKind::Invalid, "the differences are too large to calculate with");
    }
    const double root = std::sqrt(squares.value());
    for (double& value : column) value = root > 0 ? value / root : 0;
    result.observed.push_back(std::abs(sum_of(column)));
    result.columns.push_back(std::move(column));
    first_row += rows;
  }
  return result;
}

// The signs of one replicate: pattern `replicate` itself, or random bits.
class Signs {
 public:
  Signs(std::size_t clusters, bool all_patterns, std::uint64_t seed)
      : flipped_(clusters), all_patterns_(all_patterns), seed_(seed) {}

  const std::vector<bool>& make(std::size_t replicate) {
    Random random(seed_, "sign flip", {}, replicate);
    std::uint64_t bits = replicate;
    for (std::size_t g = 0; g < flipped_.size(); ++g) {
      if (!all_patterns_ && g % 64 == 0) bits = random.next();
      flipped_[g] = (bits >> (g % 64) & 1) != 0;
    }
    return flipped_;
  }

 private:
  std::vector<bool> flipped_;
  bool all_patterns_;
  std::uint64_t seed_;
};

struct Counts {
  std::vector<std::size_t> alone;         // replicates at least as extreme in the same comparison
  std::vector<std::size_t> largest;       // replicates whose largest statistic is
  std::vector<std::size_t> largest_left;  // the same among comparisons observed no larger

  explicit Counts(std::size_t columns) : alone(columns), largest(columns), largest_left(columns) {}
};

// The comparisons by their observed statistic, the smallest first.
std::vector<std::size_t> order_of(std::span<const double> observed) {
  std::vector<std::size_t> order(observed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t c) { return observed[c]; });
  return order;
}

// The statistics of one replicate.
void flip(const Standardised& data, const std::vector<bool>& flipped,
          std::vector<double>& statistic) {
  for (std::size_t c = 0; c < data.columns.size(); ++c) {
    double sum = 0;
    for (std::size_t g = 0; g < data.clusters; ++g) {
      sum += flipped[g] ? -data.columns[c][g] : data.columns[c][g];
    }
    statistic[c] = std::abs(sum);
  }
}

Counts count_extremes(const Standardised& data, std::size_t replicates, bool all_patterns,
                      const SignFlipOptions& options) {
  const std::size_t columns = data.columns.size();
  const std::vector<std::size_t> order = order_of(data.observed);
  Counts total(columns);
  std::mutex mutex;
  for_each_block(replicates, options.threads, [&](std::size_t first, std::size_t last) {
    Counts own(columns);
    Signs signs(data.clusters, all_patterns, options.seed);
    std::vector<double> statistic(columns);
    for (std::size_t replicate = first; replicate < last; ++replicate) {
      flip(data, signs.make(replicate), statistic);
      const double largest = std::ranges::max(statistic);
      for (std::size_t c = 0; c < columns; ++c) {
        own.alone[c] += statistic[c] >= data.observed[c] * kTie;
        own.largest[c] += largest >= data.observed[c] * kTie;
      }
      double largest_left = 0;
      for (const std::size_t c : order) {
        largest_left = std::max(largest_left, statistic[c]);
        own.largest_left[c] += largest_left >= data.observed[c] * kTie;
      }
    }
    const std::scoped_lock lock(mutex);
    for (std::size_t c = 0; c < columns; ++c) {
      total.alone[c] += own.alone[c];
      total.largest[c] += own.largest[c];
      total.largest_left[c] += own.largest_left[c];
    }
  });
  return total;
}

}  // namespace

Result<std::vector<MaxTResult>> max_t_test(std::span<const Comparison> comparisons,
                                           const SignFlipOptions& options) {
  if (comparisons.empty()) return fail(ErrorKind::Invalid, "there is nothing to compare");
  ASSIGN_OR_RETURN(const Standardised data, standardise(comparisons));
  const bool all_patterns = data.clusters <= kMostForAllPatterns;
  if (!all_patterns && options.replicates < 1) {
    return fail(ErrorKind::Invalid, "no replicates: the p-value is undefined");
  }
  // Flipping all signs changes no |sum|, so the last cluster may keep its own.
  const std::size_t replicates =
      all_patterns ? std::size_t{1} << (data.clusters - 1) : options.replicates;
  const Counts counts = count_extremes(data, replicates, all_patterns, options);

  const auto p_value = [&](std::size_t count) {
    // Among random patterns the observed one is a further, known to be as extreme as itself.
    return all_patterns ? real(count) / real(replicates) : real(count + 1) / real(replicates + 1);
  };
  std::vector<MaxTResult> results(data.columns.size());
  for (std::size_t c = 0; c < results.size(); ++c) {
    results[c].statistic = sum_of(data.columns[c]);
    results[c].p_value = p_value(counts.alone[c]);
    results[c].adjusted_p_value = p_value(counts.largest[c]);
  }
  double highest = 0;  // none may be claimed before those with a larger statistic
  for (const std::size_t c : order_of(data.observed) | std::views::reverse) {
    highest = std::max(highest, p_value(counts.largest_left[c]));
    results[c].step_down_p_value = highest;
  }
  return results;
}

Result<SharedLevel> shared_level(std::span<const Comparison> comparisons, double alpha,
                                 const SignFlipOptions& options) {
  ASSIGN_OR_RETURN(const Standardised data, standardise(comparisons));
  const bool all_patterns = data.clusters <= kMostForAllPatterns;
  const std::size_t replicates =
      all_patterns ? std::size_t{1} << (data.clusters - 1) : options.replicates;
  const std::size_t columns = data.columns.size();
  std::vector<double> largest(replicates);
  for_each_block(replicates, options.threads, [&](std::size_t first, std::size_t last) {
    Signs signs(data.clusters, all_patterns, options.seed);
    std::vector<double> statistic(columns);
    for (std::size_t replicate = first; replicate < last; ++replicate) {
      flip(data, signs.make(replicate), statistic);
      largest[replicate] = std::ranges::max(statistic);
    }
  });
  std::vector<double> sorted = largest;
  std::ranges::sort(sorted, std::greater<>());
  // So many replicates may be as large as one that is claimed.
  const double allowed = all_patterns ? alpha * real(replicates) : alpha * real(replicates + 1) - 1;
  std::size_t count = std::min(static_cast<std::size_t>(std::max(allowed, 0.0)), replicates);
  while (count > 0 && count < replicates && sorted[count] >= sorted[count - 1] * kTie) --count;
  SharedLevel shared{.level = alpha / real(columns)};
  if (count == 0) return shared;
  shared.critical = sorted[count - 1] * kTie;
  Signs signs(data.clusters, all_patterns, options.seed);
  std::vector<double> statistic(columns);
  std::size_t claimed = 0;
  for (std::size_t replicate = 0; replicate < replicates; ++replicate) {
    if (largest[replicate] < *shared.critical) continue;
    flip(data, signs.make(replicate), statistic);
    claimed += static_cast<std::size_t>(
        std::ranges::count_if(statistic, [&](double one) { return one >= *shared.critical; }));
  }
  shared.level = std::max(shared.level, real(claimed) / real(replicates * columns));
  return shared;
}

std::optional<double> unseen_difference(std::span<const double> first,
                                        std::span<const double> second,
                                        std::span<const std::size_t> clusters, const Scale& scale) {
  constexpr double kPull = 12;  // chosen by simulation: see perf_coverage
  constexpr double kNear = 0.2;
  const double width = scale.high - scale.low;
  const double difference = mean_of(second) - mean_of(first);
  if (!std::isfinite(width) || !(width > 0) || difference == 0) return std::nullopt;
  const auto better = difference > 0 ? second : first;
  const auto worse = difference > 0 ? first : second;
  std::optional<double> unseen;
  // The better run may have unseen bad clusters below, the worse one unseen good ones above.
  for (const auto& [run, other, end] :
       {std::tuple(better, worse, scale.high), std::tuple(worse, better, scale.low)}) {
    if (std::abs(mean_of(run) - end) > kNear * width) continue;
    const double gap = unseen_gap(run, clusters, end, width, kPull) -
                       unseen_gap(other, clusters, end, width, kPull);
    if (gap > 0) unseen = -width * gap * (difference > 0 ? 1 : -1);
  }
  return unseen;
}

std::size_t fewest_for_sign_flip(double alpha) {
  return static_cast<std::size_t>(std::ceil(1 - std::log2(alpha)));
}

double smallest_sign_flip_p(std::size_t clusters) {
  if (clusters > kMostForAllPatterns) return 1 / real(SignFlipOptions{}.replicates + 1);
  return std::ldexp(2.0, -static_cast<int>(clusters));
}

Result<TestResult> sign_flip_test(std::span<const double> differences,
                                  std::span<const std::size_t> clusters,
                                  const SignFlipOptions& options) {
  const Comparison only{differences, clusters};
  ASSIGN_OR_RETURN(const auto results, max_t_test(std::span(&only, 1), options));
  TestResult test;
  test.p_value = results.front().p_value;
  test.statistic = results.front().statistic;
  test.n = differences.size();
  test.clusters = make_grouping(clusters).count;
  test.method = test.clusters <= kMostForAllPatterns ? "sign flip, all patterns"
                                                     : "sign flip, random patterns";
  return test;
}

}  // namespace personascope::stats
