#include "stats/pass_at_k.hpp"

#include <algorithm>
#include <cmath>

#include "stats/check.hpp"
#include "stats/distribution.hpp"
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

Result<Estimate> bayes_at_n(std::span<const std::size_t> counts, std::span<const double> weights,
                            double confidence) {
  RETURN_IF_ERROR(check_values(weights, "weights"));
  RETURN_IF_ERROR(check_confidence(confidence));
  const std::size_t categories = weights.size();
  if (categories < 2) return fail(ErrorKind::Invalid, "a result needs 2 categories or more");
  if (counts.empty() || counts.size() % categories != 0) {
    return fail(ErrorKind::Invalid, "{} counts are no rows of {} categories", counts.size(),
                categories);
  }
  Sum mean;
  Sum variance;
  std::size_t attempts = 0;
  for (std::size_t first = 0; first < counts.size(); first += categories) {
    // The uniform prior counts as one result in each category.
    std::size_t total = categories;
    for (std::size_t c = 0; c < categories; ++c) total += counts[first + c];
    attempts += total - categories;
    Sum own_mean;
    Sum own_square;
    for (std::size_t c = 0; c < categories; ++c) {
      const double share = real(counts[first + c] + 1) / real(total);
      const double worth = weights[c] - weights[0];
      own_mean.add(share * worth);
      own_square.add(share * worth * worth);
    }
    mean.add(weights[0] + own_mean.value());
    variance.add((own_square.value() - own_mean.value() * own_mean.value()) / (real(total) + 1));
  }
  const double questions = real(counts.size() / categories);
  ASSIGN_OR_RETURN(Estimate estimate,
                   bare_estimate(mean.value() / questions, attempts, "Bayes@N, uniform prior"));
  estimate.clusters = counts.size() / categories;
  const double deviation = std::sqrt(std::max(0.0, variance.value())) / questions;
  const double half = normal_quantile(0.5 + confidence / 2) * deviation;
  if (!std::isfinite(half)) return fail(ErrorKind::Invalid, "the weights are too large");
  const auto [low, high] = std::ranges::minmax(weights);
  estimate.standard_error = deviation;
  // A posterior has a spread for a single question, too: the rules for few clusters don't apply.
  estimate.interval =
      Interval{std::max(low, estimate.value - half), std::min(high, estimate.value + half)};
  return estimate;
}

}  // namespace personascope::stats
