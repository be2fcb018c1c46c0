#include "stats/proportion.hpp"

#include <algorithm>
#include <cmath>

#include "stats/check.hpp"
#include "stats/clustered.hpp"
#include "stats/distribution.hpp"
#include "stats/grouping.hpp"
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

Result<Estimate> clustered_rate(std::span<const double> outcomes,
                                std::span<const std::size_t> clusters, double confidence) {
  const auto is_outcome = [](double outcome) { return outcome == 0 || outcome == 1; };
  if (!std::ranges::all_of(outcomes, is_outcome)) {
    return fail(ErrorKind::Invalid, "an outcome of a rate is neither 0 nor 1");
  }
  const IntervalOptions options{.scale = kUnitScale, .confidence = confidence};
  ASSIGN_OR_RETURN(Estimate plain, clustered_mean(outcomes, clusters, options));
  if (!plain.interval) return plain;

  const double independent = plain.value * (1 - plain.value) / real(plain.n);
  const double clustered = *plain.standard_error * *plain.standard_error;
  const double effect = independent > 0 ? std::max(1.0, clustered / independent)
                                        : real(plain.n) / real(plain.clusters);
  const double quantile = t_quantile(0.5 + confidence / 2, *plain.df);
  plain.interval = wilson(plain.value, real(plain.n) / effect, quantile);
  plain.method = "Wilson on n / design effect, CR1, t(G-1)";
  return plain;
}

}  // namespace personascope::stats
