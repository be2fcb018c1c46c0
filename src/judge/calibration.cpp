#include "judge/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "stats/sum.hpp"

namespace personascope::judge {
namespace {

constexpr double kLeastPrior = 1e-3;
constexpr double kLeastRatio = 2;
constexpr double kLeastShare = 0.05;  // of the scale's length

Result<void> check_same_scale(const core::ScoreDistribution& first,
                              const core::ScoreDistribution& second) {
  const bool same = !first.shares.empty() &&
                    std::ranges::equal(first.shares, second.shares, {}, &core::ScoreShare::score,
                                       &core::ScoreShare::score);
  if (same) return {};
  return fail(ErrorKind::Invalid, "the distributions are not over the same scale");
}

Result<std::vector<double>> calibrated_scores(Distributions distributions,
                                              std::span<const double> prior) {
  std::vector<double> scores;
  for (const core::ScoreDistribution& distribution : distributions) {
    ASSIGN_OR_RETURN(const auto calibrated, calibrate(distribution, prior));
    scores.push_back(expected_score_of(calibrated));
  }
  return scores;
}

double deviation_of(std::span<const double> values) {
  return std::sqrt(stats::squared_deviations(values) / stats::real(values.size() - 1));
}

}  // namespace

Result<std::vector<double>> make_prior(Distributions content_free) {
  if (content_free.empty())
    return fail(ErrorKind::Invalid, "there is no content-free answer to estimate a prior from");
  std::vector<double> prior(content_free.front().shares.size());
  for (const core::ScoreDistribution& distribution : content_free) {
    RETURN_IF_ERROR(check_same_scale(content_free.front(), distribution));
    for (std::size_t i = 0; i < prior.size(); ++i)
      prior[i] += distribution.shares[i].probability / stats::real(content_free.size());
  }
  return prior;
}

Result<core::ScoreDistribution> calibrate(const core::ScoreDistribution& distribution,
                                          std::span<const double> prior) {
  if (prior.empty() || distribution.shares.size() != prior.size())
    return fail(ErrorKind::Invalid, "the prior has {} scores and the distribution {}", prior.size(),
                distribution.shares.size());
  core::ScoreDistribution calibrated = distribution;
  stats::Sum total;
  for (std::size_t i = 0; i < prior.size(); ++i) {
    core::ScoreShare& share = calibrated.shares[i];
    share.probability /= std::max(prior[i], kLeastPrior);
    total.add(share.probability);
  }
  if (!(total.value() > 0) || !std::isfinite(total.value()))
    return fail(ErrorKind::Invalid, "the distribution has no mass to calibrate");
  for (core::ScoreShare& share : calibrated.shares) share.probability /= total.value();
  calibrated.standard_deviation = spread_of(calibrated);
  return calibrated;
}

double expected_score_of(const core::ScoreDistribution& distribution) {
  stats::Sum sum;
  for (const core::ScoreShare& share : distribution.shares)
    sum.add(share.score * share.probability);
  return sum.value();
}

double spread_of(const core::ScoreDistribution& distribution) {
  const double mean = expected_score_of(distribution);
  stats::Sum squares;
  for (const core::ScoreShare& share : distribution.shares)
    squares.add(share.probability * (share.score - mean) * (share.score - mean));
  return std::sqrt(squares.value());
}

Result<PriorCalibration> calibrate_by_prior(Distributions answers, Distributions content_free) {
  if (answers.size() < 2 || content_free.size() < 2)
    return fail(
        ErrorKind::Invalid,
        "two answers and two content-free ones are needed to see a signal; there are {} and {}",
        answers.size(), content_free.size());
  PriorCalibration result;
  ASSIGN_OR_RETURN(result.prior, make_prior(content_free));
  ASSIGN_OR_RETURN(result.scores, calibrated_scores(answers, result.prior));
  ASSIGN_OR_RETURN(const auto controls, calibrated_scores(content_free, result.prior));
  const auto& shares = answers.front().shares;
  const double length = shares.back().score - shares.front().score;
  SignalCheck& check = result.signal;
  check.answer_deviation = deviation_of(result.scores);
  check.control_deviation = deviation_of(controls);
  const bool is_too_little = check.answer_deviation < kLeastShare * length;
  check.has_signal =
      !is_too_little && check.answer_deviation >= kLeastRatio * check.control_deviation;
  check.sentence = fmt::format(
      "{}: with its prior divided out, its scores differ by {:.2f} among answers{} and by {:.2f} "
      "among answers without content",
      check.has_signal ? "it distinguishes answers" : "its scores carry no signal",
      check.answer_deviation, is_too_little ? ", less than a twentieth of the scale," : "",
      check.control_deviation);
  return result;
}

}  // namespace personascope::judge
