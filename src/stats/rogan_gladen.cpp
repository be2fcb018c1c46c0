#include "stats/rogan_gladen.hpp"

#include <cmath>

#include "stats/distribution.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

Result<void> check_counts(const JudgeCounts& counts) {
  if (counts.judged == 0) return fail(ErrorKind::Invalid, "the judge decided nothing");
  if (counts.human_fail == 0 || counts.human_pass == 0) {
    return fail(ErrorKind::Invalid,
                "the judge's error rates need items that humans passed and items they failed");
  }
  if (counts.judged_pass > counts.judged || counts.judge_fail_too > counts.human_fail ||
      counts.judge_pass_too > counts.human_pass) {
    return fail(ErrorKind::Invalid, "a count of judge verdicts exceeds its whole");
  }
  return {};
}

// A share of n with its binomial variance.
struct Share {
  double value = 0;
  double n = 0;
  double variance() const { return value * (1 - value) / n; }
};

Share share_of(std::size_t part, std::size_t whole, double pseudo) {
  const double n = real(whole) + 2 * pseudo;
  return {(real(part) + pseudo) / n, n};
}

Result<double> youden(const Share& sensitivity, const Share& specificity) {
  const double index = sensitivity.value + specificity.value - 1;
  if (!(index > 0)) {
    return fail(ErrorKind::Invalid, "the judge is no better than chance: nothing can be corrected");
  }
  return index;
}

}  // namespace

Result<double> rogan_gladen_plain(const JudgeCounts& counts) {
  RETURN_IF_ERROR(check_counts(counts));
  const Share pass = share_of(counts.judged_pass, counts.judged, 0);
  const Share specificity = share_of(counts.judge_fail_too, counts.human_fail, 0);
  const Share sensitivity = share_of(counts.judge_pass_too, counts.human_pass, 0);
  ASSIGN_OR_RETURN(const double index, youden(sensitivity, specificity));
  return (pass.value + specificity.value - 1) / index;
}

Result<Estimate> rogan_gladen(const JudgeCounts& counts, double confidence) {
  RETURN_IF_ERROR(check_counts(counts));
  RETURN_IF_ERROR(check_confidence(confidence));
  const double z = normal_quantile(0.5 + confidence / 2);
  const Share pass = share_of(counts.judged_pass, counts.judged, z * z / 2);
  const Share specificity = share_of(counts.judge_fail_too, counts.human_fail, 1);
  const Share sensitivity = share_of(counts.judge_pass_too, counts.human_pass, 1);
  ASSIGN_OR_RETURN(const double index, youden(sensitivity, specificity));

  Estimate estimate;
  const double rate = (pass.value + specificity.value - 1) / index;
  const double variance = pass.variance() + (1 - rate) * (1 - rate) * specificity.variance() +
                          rate * rate * sensitivity.variance();
  const double error = std::sqrt(variance) / index;
  const double shift =
      2 * z * z * (rate * sensitivity.variance() - (1 - rate) * specificity.variance());
  estimate.value = rate;
  estimate.n = counts.judged + counts.human_fail + counts.human_pass;
  estimate.clusters = estimate.n;
  estimate.method = "Rogan-Gladen, Lang-Reiczigel";
  return with_interval(std::move(estimate), error,
                       {rate + shift - z * error, rate + shift + z * error},
                       {.scale = kUnitScale, .confidence = confidence});
}

}  // namespace personascope::stats
