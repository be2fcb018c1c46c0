// Sign-flip tests: if two runs do not differ, each persona's difference is equally likely to have
// the other sign. No distribution is assumed, and personas may be few or unequal.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace personascope::stats
