#include "stats/planning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "stats/check.hpp"
#include "stats/distribution.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kFewestClusters = 5;
constexpr std::size_t kMostPlannedClusters = 10'000'000;
// Above this the t distribution is normal to six digits, and the non-central one gets slow.
constexpr double kNormalDf = 1e6;

double two_sided_power(double critical, double df, double noncentrality) {
  if (df > kNormalDf || noncentrality > critical + 40) {
    return normal_cdf(noncentrality - critical) + normal_cdf(-noncentrality - critical);
  }
  return noncentral_t_two_sided(critical, df, noncentrality);
}

Result<void> check_alpha(double alpha) {
  RETURN_IF_ERROR(check_probability(alpha, "significance level"));
  if (alpha < kSmallestAlpha) {
    return fail(ErrorKind::Invalid, "a significance level of {} is too small to calculate with",
                alpha);
  }
  return {};
}

Result<void> check_plan(const TestPlan& plan) {
  RETURN_IF_ERROR(check_alpha(plan.alpha));
  RETURN_IF_ERROR(check_probability(plan.power, "power"));
  if (plan.power <= plan.alpha) {
    return fail(ErrorKind::Invalid, "a power of {} is reached by chance alone", plan.power);
  }
  return {};
}

Result<double> variance_of_cluster_mean(const Spread& spread) {
  const double variance =
      spread.between_variance + spread.within_variance / real(spread.rows_per_cluster);
  if (!(spread.between_variance >= 0 && spread.within_variance >= 0) || !std::isfinite(variance)) {
    return fail(ErrorKind::Invalid, "the spread needs variances that are not negative, and rows");
  }
  return variance;
}

// The first count that is enough, given that all larger ones are, too.
Result<std::size_t> fewest(const std::function<bool(std::size_t)>& is_enough) {
  std::size_t high = kFewestClusters;
  while (!is_enough(high)) {
    if (high >= kMostPlannedClusters) {
      return fail(ErrorKind::Invalid, "more than {} million personas would be needed",
                  kMostPlannedClusters / 1'000'000);
    }
    high = std::min(high * 2, kMostPlannedClusters);
  }
  std::size_t low = std::max(kFewestClusters, high / 2);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (is_enough(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

}  // namespace

Result<double> paired_t_power(std::size_t n, double effect_size, double alpha) {
  RETURN_IF_ERROR(check_alpha(alpha));
  if (n < 2) return fail(ErrorKind::Invalid, "a t test needs 2 pairs, there are {}", n);
  if (!std::isfinite(effect_size)) return fail(ErrorKind::Invalid, "the effect is not finite");
  const double df = real(n - 1);
  return two_sided_power(-t_quantile(alpha / 2, df), df,
                         std::abs(effect_size) * std::sqrt(real(n)));
}

Result<double> minimum_detectable_difference(double standard_error, double df,
                                             const TestPlan& plan) {
  RETURN_IF_ERROR(check_plan(plan));
  if (!(standard_error >= 0) || !std::isfinite(standard_error) || !(df >= 1)) {
    return fail(ErrorKind::Invalid,
                "no error is available, so no difference can be called detectable");
  }
  const double critical = -t_quantile(plan.alpha / 2, df);
  double low = 0;
  double high = critical;
  while (two_sided_power(critical, df, high) < plan.power) high *= 2;
  for (int step = 0; step < 100 && high - low > 1e-13 * high; ++step) {
    const double middle = (low + high) / 2;
    (two_sided_power(critical, df, middle) < plan.power ? low : high) = middle;
  }
  return high * standard_error;
}

Result<std::size_t> clusters_for_half_width(const Spread& spread, double half_width,
                                            double confidence) {
  RETURN_IF_ERROR(check_confidence(confidence));
  if (!(half_width > 0)) return fail(ErrorKind::Invalid, "a half-width must be above 0");
  ASSIGN_OR_RETURN(const double variance, variance_of_cluster_mean(spread));
  return fewest([&](std::size_t count) {
    const double quantile = t_quantile(0.5 + confidence / 2, real(count - 1));
    return quantile * std::sqrt(variance / real(count)) <= half_width;
  });
}

Result<std::size_t> clusters_for_difference(const Spread& of_differences, double difference,
                                            const TestPlan& plan) {
  RETURN_IF_ERROR(check_plan(plan));
  if (difference == 0 || !std::isfinite(difference)) {
    return fail(ErrorKind::Invalid, "a difference to be found must not be 0");
  }
  ASSIGN_OR_RETURN(const double variance, variance_of_cluster_mean(of_differences));
  if (variance == 0) return kFewestClusters;
  const double effect_size = std::abs(difference) / std::sqrt(variance);
  return fewest([&](std::size_t count) {
    return paired_t_power(count, effect_size, plan.alpha).value_or(0) >= plan.power;
  });
}

}  // namespace personascope::stats
