// Repeated attempts at one task: how often k tries succeed at least once, or every time.
//
// Each is an unbiased estimate for one item from n attempts with c successes; average items with
// clustered_mean. More tries than attempts (k > n) are undefined.
#pragma once

#include <cstddef>

#include "base/result.hpp"

namespace personascope::stats {

// The chance that at least one of k tries succeeds: 1 - C(n-c,k)/C(n,k), in product form.
Result<double> pass_at_k(std::size_t n, std::size_t c, std::size_t k);
// The chance that all k tries succeed: C(c,k)/C(n,k).
Result<double> pass_hat_k(std::size_t n, std::size_t c, std::size_t k);
// The expected number of tries to the first success, giving up after k.
Result<double> attempts_to_success(std::size_t n, std::size_t c, std::size_t k);

}  // namespace personascope::stats
