// Contextual calibration for small judges: their distribution for answers without content is
// divided out, and it is checked whether the scores still carry a signal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/verdict.hpp"

namespace personascope::judge {

// A judge's distributions over one scale's scores: the same scores in the same order in all of
// them.
using Distributions = std::span<const core::ScoreDistribution>;

// The mean share of each score over content-free answers ("", ":", …), which is the judge's prior.
// Fails as Invalid on none, and on distributions of different scales.
Result<std::vector<double>> make_prior(Distributions content_free);

// The distribution with the prior divided out and the shares scaled to sum to 1 again; the captured
// mass stays what it was. A score the prior has (nearly) never seen counts as seen with 1 in 1,000,
// so that noise there does not decide. Fails as Invalid if the sizes differ.
Result<core::ScoreDistribution> calibrate(const core::ScoreDistribution& distribution,
                                          std::span<const double> prior);
// Mean and standard deviation of the shares.
double expected_score_of(const core::ScoreDistribution& distribution);
double spread_of(const core::ScoreDistribution& distribution);

// Whether a judge distinguishes answers: its calibrated scores of real answers must differ more
// than those of content-free ones.
struct SignalCheck {
  double answer_deviation = 0;   // standard deviation of the scores of answers
  double control_deviation = 0;  // of the content-free ones
  bool has_signal = false;       // answers differ at least twice as much, and by .05 of the scale
  std::string sentence;          // the same for people
};

struct PriorCalibration {
  std::vector<double> prior;   // by score, lowest first
  std::vector<double> scores;  // the answers', calibrated
  SignalCheck signal;
};

// Fails as Invalid with fewer than two of either, and on distributions of different scales.
Result<PriorCalibration> calibrate_by_prior(Distributions answers, Distributions content_free);

}  // namespace personascope::judge
