#include "stats/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"

namespace personascope::stats {
namespace {

constexpr double kHighestConfidence = 1 - 1e-12;  // a quantile further out loses its digits
constexpr std::size_t kFewestForError = 2;
constexpr std::size_t kFewestForInterval = 5;
constexpr std::size_t kFewestWithoutWarning = 10;
// With 10 personas and means a tenth from the end, 95 % intervals cover 90 %; nearer, far less.
constexpr double kNearEnd = 0.1;

bool is_near_end(double value, const Scale& scale) {
  const double width = scale.high - scale.low;
  const double distance = std::min(value - scale.low, scale.high - value);
  return std::isfinite(width) && distance < kNearEnd * width;
}

Result<void> check_finite_result(double value, double error) {
  if (!std::isfinite(value) || !std::isfinite(error)) {
    return fail(ErrorKind::Invalid, "the numbers are too large to calculate with");
  }
  return {};
}

Result<Estimate> with_quantile(Estimate estimate, double variance, double quantile,
                               const IntervalOptions& options) {
  const double error = std::sqrt(std::max(variance, 0.0));
  const Interval interval{estimate.value - quantile * error, estimate.value + quantile * error};
  // Rounding may leave a trace of an error.
  const bool is_constant =
      error <= 1e-14 * std::abs(estimate.value) && estimate.clusters >= kFewestForError;
  if (is_constant) estimate.caveats.push_back(Caveat::NoVariation);
  ASSIGN_OR_RETURN(estimate, with_interval(std::move(estimate), error, interval, options));
  // Equal clusters do not show how far others may lie: an interval of one point would be false.
  if (is_constant) estimate.interval.reset();
  return estimate;
}

}  // namespace

std::string sentence_of(Caveat caveat, std::string_view unit) {
  switch (caveat) {
    case Caveat::NoError:
      return fmt::format("only one {}: no standard error", unit);
    case Caveat::TooFewForInterval:
      return fmt::format("no interval: it needs at least 5 {}s", unit);
    case Caveat::FewClusters:
      return fmt::format("fewer than 10 {}s: the interval is rough", unit);
    case Caveat::NoVariation:
      return fmt::format("all {}s are equal: their spread is unknown", unit);
    case Caveat::NearScaleEnd:
      return "near an end of the scale: the interval is too narrow";
    case Caveat::NegativeVariance:
      return "the two-way variance is negative: the larger one-way error is shown";
    case Caveat::ClippedToScale:
      return "the estimate was outside the scale and was moved to its end";
    case Caveat::UndefinedReplicates:
      return "some resamples were undefined and left out";
    case Caveat::MostlyUndefined:
      return "no interval: undefined on too many resamples";
    case Caveat::PercentileInstead:
      return "BCa is undefined here: a percentile interval is shown";
    case Caveat::FewLabels:
      return "fewer than 50 labels: the correction may be no better than the labels alone";
    case Caveat::DominantCluster:
      return fmt::format("one {} has a quarter of the rows or more: the result depends on it",
                         unit);
    case Caveat::RareClusters:
      return fmt::format(
          "near an end of the scale: {}s that are too rare to be in this sample may lie far from "
          "it, and the interval does not allow for them",
          unit);
  }
  return "";
}

std::string_view code_of(Caveat caveat) {
  switch (caveat) {
    case Caveat::NoError:
      return "one_cluster";
    case Caveat::TooFewForInterval:
      return "too_few_clusters";
    case Caveat::FewClusters:
      return "few_clusters";
    case Caveat::NoVariation:
      return "no_variation";
    case Caveat::NearScaleEnd:
      return "near_scale_end";
    case Caveat::NegativeVariance:
      return "negative_variance";
    case Caveat::ClippedToScale:
      return "clipped_to_scale";
    case Caveat::UndefinedReplicates:
      return "undefined_replicates";
    case Caveat::MostlyUndefined:
      return "mostly_undefined";
    case Caveat::PercentileInstead:
      return "percentile_instead";
    case Caveat::FewLabels:
      return "few_labels";
    case Caveat::DominantCluster:
      return "dominant_cluster";
    case Caveat::RareClusters:
      return "rare_clusters";
  }
  return "";
}

std::optional<std::size_t> needed_for(Caveat caveat) {
  if (caveat == Caveat::NoError) return kFewestForError;
  if (caveat == Caveat::TooFewForInterval) return kFewestForInterval;
  if (caveat == Caveat::FewClusters) return kFewestWithoutWarning;
  if (caveat == Caveat::FewLabels) return 50;
  return std::nullopt;
}

std::string_view unit_of(const Estimate& estimate) {
  return estimate.clusters == estimate.n ? "item" : "cluster";
}

bool Estimate::has(Caveat caveat) const {
  return std::ranges::find(caveats, caveat) != caveats.end();
}

Result<Estimate> with_interval(Estimate estimate, double standard_error, Interval interval,
                               const IntervalOptions& options) {
  const Scale& scale = options.scale;
  if (!(scale.low <= scale.high)) {
    return fail(ErrorKind::Invalid, "the scale's low end {} is above its high end {}", scale.low,
                scale.high);
  }
  RETURN_IF_ERROR(check_finite_result(estimate.value, standard_error));

  if (estimate.value < scale.low || estimate.value > scale.high) {
    estimate.value = std::clamp(estimate.value, scale.low, scale.high);
    estimate.caveats.push_back(Caveat::ClippedToScale);
  }
  if (estimate.clusters < kFewestForError) {
    estimate.caveats.push_back(Caveat::NoError);
    estimate.df.reset();
    return estimate;
  }
  estimate.standard_error = standard_error;
  if (estimate.clusters < kFewestForInterval) {
    estimate.caveats.push_back(Caveat::TooFewForInterval);
    return estimate;
  }
  if (estimate.clusters < kFewestWithoutWarning) estimate.caveats.push_back(Caveat::FewClusters);
  if (is_near_end(estimate.value, scale)) estimate.caveats.push_back(Caveat::NearScaleEnd);
  RETURN_IF_ERROR(check_finite_result(interval.low, interval.high));
  estimate.interval = Interval{std::clamp(interval.low, scale.low, scale.high),
                               std::clamp(interval.high, scale.low, scale.high)};
  return estimate;
}

Result<Estimate> with_t_interval(Estimate estimate, double variance, double df,
                                 const IntervalOptions& options) {
  RETURN_IF_ERROR(check_confidence(options.confidence));
  if (df < 1) return with_quantile(std::move(estimate), variance, 0, options);
  estimate.df = df;
  const double quantile = t_quantile(0.5 + options.confidence / 2, df);
  return with_quantile(std::move(estimate), variance, quantile, options);
}

Result<Estimate> with_normal_interval(Estimate estimate, double variance,
                                      const IntervalOptions& options) {
  RETURN_IF_ERROR(check_confidence(options.confidence));
  const double quantile = normal_quantile(0.5 + options.confidence / 2);
  return with_quantile(std::move(estimate), variance, quantile, options);
}

Result<Estimate> bare_estimate(double value, std::size_t n, std::string_view method) {
  RETURN_IF_ERROR(check_finite_result(value, 0));
  Estimate estimate;
  estimate.value = value;
  estimate.n = n;
  estimate.clusters = n;
  estimate.method = method;
  return estimate;
}

Result<void> check_confidence(double confidence) {
  if (!(confidence > 0 && confidence < 1)) {
    return fail(ErrorKind::Invalid, "a confidence of {} is not between 0 and 1", confidence);
  }
  if (confidence > kHighestConfidence) {
    return fail(ErrorKind::Invalid, "a confidence of {} is too close to 1 to calculate with",
                confidence);
  }
  return {};
}

}  // namespace personascope::stats
