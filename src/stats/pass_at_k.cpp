#include "stats/pass_at_k.hpp"

#include <algorithm>
#include <cmath>

#include "stats/check.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

Result<void> check_attempts(std::size_t n, std::size_t c, std::size_t k) {
  if (c > n) return fail(ErrorKind::Invalid, "{} successes in {} attempts cannot be", c, n);
  if (k < 1) return fail(ErrorKind::Invalid, "the number of tries must be at least 1");
  if (k > n) {
    return fail(ErrorKind::Invalid, "{} tries cannot be judged from {} attempts", k, n);
  }
  return {};
}

// C(part,k) / C(n,k): the chance that k draws without return all come from `part` of n.
double all_from(std::size_t part, std::size_t n, std::size_t k) {
  if (k > part) return 0;
  double chance = 1;
  for (std::size_t i = 0; i < k; ++i) chance *= real(part - i) / real(n - i);
  return chance;
}

}  // namespace

Result<double> pass_at_k(std::size_t n, std::size_t c, std::size_t k) {
  RETURN_IF_ERROR(check_attempts(n, c, k));
  return 1 - all_from(n - c, n, k);
}

Result<double> pass_hat_k(std::size_t n, std::size_t c, std::size_t k) {
  RETURN_IF_ERROR(check_attempts(n, c, k));
  return all_from(c, n, k);
}

Result<double> attempts_to_success(std::size_t n, std::size_t c, std::size_t k) {
  RETURN_IF_ERROR(check_attempts(n, c, k));
  // A try takes place if all before it failed.
  Sum tries;
  double all_failed = 1;
  for (std::size_t before = 0; before < k; ++before) {
    tries.add(all_failed);
    all_failed *= before < n - c ? real(n - c - before) / real(n - before) : 0;
  }
  return tries.value();
}

}  // namespace personascope::stats
