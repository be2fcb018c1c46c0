// Sign-flip tests: if two runs do not differ, each persona's difference is equally likely to have
// the other sign. That is the only assumption (the differences are symmetric around 0): no
// distribution is assumed, and personas may be few or unequal. Where two runs have equal means but
// differences that are skewed, the test errs too often: see unseen_difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace personascope::stats {

// Up to so many clusters all patterns of signs are tried, above that random ones.
inline constexpr std::size_t kMostForAllPatterns = 20;

struct SignFlipOptions {
  std::size_t replicates = 9999;  // where the patterns are random
  std::uint64_t seed = 0;
  unsigned threads = 1;  // affects only the time, not the result
};

// G clusters can give no smaller p than 2/2^G: fewer than these never reach `alpha` (6 for .05).
std::size_t fewest_for_sign_flip(double alpha);
// The smallest p that so many clusters can give; where the flips are random, their number decides.
double smallest_sign_flip_p(std::size_t clusters);

// Two-sided test that the differences, one a row, have mean 0; whole clusters change sign. Fails on
// empty input, different sizes, and numbers that are not finite.
Result<TestResult> sign_flip_test(std::span<const double> differences,
                                  std::span<const std::size_t> clusters,
                                  const SignFlipOptions& options = {});

// One of several comparisons on the same clusters; the keys mean the same clusters in each.
struct Comparison {
  std::span<const double> differences;
  std::span<const std::size_t> clusters;
};

struct MaxTResult {
  double statistic = 0;         // the clusters' differences, standardised
  double p_value = 1;           // of this comparison alone
  double adjusted_p_value = 1;  // as the largest of all, single step
  // As the largest of those not claimed yet, step down: never above adjusted_p_value, and may be
  // claimed as well.
  double step_down_p_value = 1;
};

// Tests all comparisons at once: the same flips are used in all of them, so that the adjusted
// p-values allow for their correlation (Westfall and Young). Fails as above.
Result<std::vector<MaxTResult>> max_t_test(std::span<const Comparison> comparisons,
                                           const SignFlipOptions& options = {});

// What all comparisons tested at once at `alpha` (single step) leave to each of them.
struct SharedLevel {
  // Of a test of one comparison alone: the share of flips that are claimed, on average over the
  // comparisons, and at least alpha / comparisons (Bonferroni). Intervals at 1 - level are
  // simultaneous.
  double level = 0;
  // The smallest |statistic| (MaxTResult) that would be claimed; nothing where none would be.
  std::optional<double> critical = {};
};
// Fails as above.
Result<SharedLevel> shared_level(std::span<const Comparison> comparisons, double alpha,
                                 const SignFlipOptions& options = {});

// Near an end of the scale, the difference (second minus first) of a cluster that is not in the
// sample: the run that looks better may have rare bad clusters, as in score_mean. Nothing where it
// would not speak against the difference seen, or where both runs are far from the ends. With it as
// one more cluster, flips of runs with equal means and different shapes err in 5 to 6 % of cases
// instead of 9 to 13 % (10 and 30 personas; docs/statistics.md).
std::optional<double> unseen_difference(std::span<const double> first,
                                        std::span<const double> second,
                                        std::span<const std::size_t> clusters, const Scale& scale);

}  // namespace personascope::stats
