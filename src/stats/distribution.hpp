// Quantiles and tails of the distributions used here; the one file that sees Boost.Math.
//
// Probabilities are strictly between 0 and 1 and parameters positive: callers check. Nothing
// throws.
#pragma once

#include <cstdint>

namespace personascope::stats {

double normal_cdf(double z);
double normal_quantile(double probability);

double t_quantile(double probability, double df);
// P(|T| >= |t|).
double t_two_sided_p(double t, double df);
// P(|T| >= t) for a non-central T: the power of a two-sided t test with critical value t.
double noncentral_t_two_sided(double t, double df, double noncentrality);

double beta_quantile(double probability, double a, double b);

double chi_squared_quantile(double probability, double df);

// P(X <= successes) and P(X = successes) for a fair coin thrown `n` times.
double fair_coin_cdf(std::uint64_t successes, std::uint64_t n);
double fair_coin_pmf(std::uint64_t successes, std::uint64_t n);

double log_gamma(double x);
double digamma(double x);
double trigamma(double x);

}  // namespace personascope::stats
