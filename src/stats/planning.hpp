// How much data a claim needs: power, the smallest difference a run can see, numbers of personas.
#pragma once

#include <cstddef>

#include "stats/estimate.hpp"

namespace personascope::stats {

inline constexpr double kSmallestAlpha = 1e-12;  // a quantile further out loses its digits

struct TestPlan {
  double alpha = 0.05;  // two-sided
  double power = 0.8;
};

// The power of a two-sided paired t test with `n` pairs and a true effect of `effect_size` standard
// deviations of the differences. Fails for n < 2 or alpha outside kSmallestAlpha..1.
Result<double> paired_t_power(std::size_t n, double effect_size, double alpha = 0.05);

// The smallest true difference that a comparison with this standard error and df would find with
// the planned power: it says what "no difference" means. Fails for df < 1 or a negative error.
Result<double> minimum_detectable_difference(double standard_error, double df,
                                             const TestPlan& plan = {});

// How scores (or paired differences) spread over personas and over the questions of one.
struct Spread {
  double between_variance = 0;       // of the personas' true means
  double within_variance = 0;        // of the questions around their persona's mean
  std::size_t rows_per_cluster = 1;  // questions a persona
};

// The fewest personas whose t(G-1) interval is no wider than plus or minus `half_width`; at
// least 5. Fails if `half_width` is not positive or more than ten million would be needed.
Result<std::size_t> clusters_for_half_width(const Spread& spread, double half_width,
                                            double confidence = 0.95);

// The fewest personas that find a true paired difference with the planned power; at least 5.
Result<std::size_t> clusters_for_difference(const Spread& of_differences, double difference,
                                            const TestPlan& plan = {});

}  // namespace personascope::stats
