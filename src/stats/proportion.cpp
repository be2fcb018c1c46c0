#include "stats/proportion.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

Interval wilson(double rate, double n, double quantile) {
  const double square = quantile * quantile;
  const double centre = (rate + square / (2 * n)) / (1 + square / n);
  const double half =
      quantile / (1 + square / n) * std::sqrt(rate * (1 - rate) / n + square / (4 * n * n));
  // At the ends the formula's own value is exact; rounding must not spoil it.
  return {rate == 0 ? 0 : std::max(0.0, centre - half),
          rate == 1 ? 1 : std::min(1.0, centre + half)};
}

Interval clopper_pearson(double successes, double n, double tail) {
  const double failures = n - successes;
  return {successes == 0 ? 0 : beta_quantile(tail, successes, failures + 1),
          failures == 0 ? 1 : beta_quantile(1 - tail, successes + 1, failures)};
}

Interval jeffreys(double successes, double n, double tail) {
  const double a = successes + 0.5;
  const double b = n - successes + 0.5;
  return {beta_quantile(tail, a, b), beta_quantile(1 - tail, a, b)};
}

}  // namespace

Result<Estimate> rate(std::size_t successes, std::size_t n, RateMethod method, double confidence) {
  RETURN_IF_ERROR(check_confidence(confidence));
  if (n == 0) return fail(ErrorKind::Invalid, "no trials: the rate is undefined");
  if (successes > n) {
    return fail(ErrorKind::Invalid, "{} successes in {} trials cannot be", successes, n);
  }
  const double value = real(successes) / real(n);
  const double tail = (1 - confidence) / 2;
  ASSIGN_OR_RETURN(Estimate estimate, bare_estimate(value, n, ""));
  estimate.standard_error = std::sqrt(value * (1 - value) / real(n));
  switch (method) {
    case RateMethod::Wilson:
      estimate.method = "Wilson";
      estimate.interval = wilson(value, real(n), normal_quantile(1 - tail));
      break;
    case RateMethod::ClopperPearson:
      estimate.method = "Clopper-Pearson";
      estimate.interval = clopper_pearson(real(successes), real(n), tail);
      break;
    case RateMethod::Jeffreys:
      estimate.method = "Jeffreys";
      estimate.interval = jeffreys(real(successes), real(n), tail);
      break;
  }
  return estimate;
}

}  // namespace personascope::stats
