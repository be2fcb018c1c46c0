// Repeated attempts at one task: how often k tries succeed at least once, or every time.
//
// Each is an unbiased estimate for one item from n attempts with c successes; average items with
// clustered_mean. More tries than attempts (k > n) are undefined.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

// The chance that at least one of k tries succeeds: 1 - C(n-c,k)/C(n,k), in product form.
Result<double> pass_at_k(std::size_t n, std::size_t c, std::size_t k);
// The chance that all k tries succeed: C(c,k)/C(n,k).
Result<double> pass_hat_k(std::size_t n, std::size_t c, std::size_t k);
// The expected number of tries to the first success, giving up after k.
Result<double> attempts_to_success(std::size_t n, std::size_t c, std::size_t k);

// Bayes@N: the posterior mean of a graded result under a uniform prior over categories, with its
// posterior standard deviation as the standard error. `weights` gives each category's worth (0 and
// 1 for fail and pass); `counts` holds one row of category counts for each question. The interval
// is normal. Fails on fewer than 2 categories or incomplete rows.
Result<Estimate> bayes_at_n(std::span<const std::size_t> counts, std::span<const double> weights,
                            double confidence = 0.95);

}  // namespace personascope::stats
