#include "stats/proportion.hpp"

#include <algorithm>
#include <cmath>

#include "stats/clustered.hpp"
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

Result<Estimate> bounded_mean(std::span<const double> values, std::span<const std::size_t> clusters,
                              const IntervalOptions& options) {
  const Scale& scale = options.scale;
  const double width = scale.high - scale.low;
  if (!(width > 0) || !std::isfinite(width)) {
    return fail(ErrorKind::Invalid, "a bounded mean needs a scale with two ends");
  }
  ASSIGN_OR_RETURN(Estimate estimate, clustered_mean(values, clusters, options));
  estimate.method = "Wilson on n / design effect, CR1, t(G-1)";
  if (!estimate.interval) return estimate;

  const double n = real(estimate.n);
  const double share = (estimate.value - scale.low) / width;
  const double clustered = *estimate.standard_error * *estimate.standard_error;
  const double variance = std::max(clustered, squared_deviations(values) / (n * n));
  const double trials =
      variance > 0 ? share * (1 - share) * width * width / variance : real(estimate.clusters);
  const double quantile = t_quantile(0.5 + options.confidence / 2, *estimate.df);
  const Interval shares = wilson(share, trials, quantile);
  estimate.interval = Interval{std::clamp(scale.low + width * shares.low, scale.low, scale.high),
                               std::clamp(scale.low + width * shares.high, scale.low, scale.high)};
  return estimate;
}

Result<Estimate> clustered_rate(std::span<const double> outcomes,
                                std::span<const std::size_t> clusters, double confidence) {
  const auto is_outcome = [](double outcome) { return outcome == 0 || outcome == 1; };
  if (!std::ranges::all_of(outcomes, is_outcome)) {
    return fail(ErrorKind::Invalid, "an outcome of a rate is neither 0 nor 1");
  }
  return bounded_mean(outcomes, clusters, {.scale = kUnitScale, .confidence = confidence});
}

}  // namespace personascope::stats
