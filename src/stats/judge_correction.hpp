// The mean human score of a run that a judge scored and humans labelled in part: the correction
// chosen by a rule, or an error with the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "stats/estimate.hpp"
#include "stats/ppi.hpp"

namespace personascope::stats {

enum class LabelSampling {
  Random,  // the labelled items were drawn at random from the run
  Chosen,  // they were picked some other way: hard cases, another run
};

struct CorrectionOptions {
  LabelSampling sampling = LabelSampling::Random;
  std::uint64_t seed = 0;
  unsigned threads = 1;  // affects only the time, not the result
  IntervalOptions bounds = {};
};

struct JudgeCorrection {
  Estimate corrected;
  Estimate judge_alone;   // the judge's mean over all items: uncalibrated
  Estimate labels_alone;  // the humans' mean over the labelled items
  // How likely so large a gap between the judge's means on labelled and other items is, if labels
  // were drawn at random, by 1,999 other draws of as many labels (of whole clusters, where each
  // cluster is labelled whole or not at all); nothing if there are no other items, fewer than 5
  // labelled clusters, or no variation.
  std::optional<double> random_labels_p_value;
  std::string rule;  // why this method, as a sentence
};

// The rule:
// 1. fewer than 10 labels: refused.
// 2. every item labelled: the labels' own mean.
// 3. labels not drawn at random (by the caller's word, or because the judge scores labelled and
//    other items differently, p < .01): Rogan-Gladen if every score is 0 or 1, else refused.
// 4. else PPI++ with cross-fitting; fewer than 5 labelled clusters: refused. Its interval has the
//    shape of the labels' own and the width that PPI++'s smaller error gives it; near an end of
//    the scale it is as wide as the labels' own.
// Refusals are Errors of kind Invalid. Fails also on empty, uneven or off-scale input.
Result<JudgeCorrection> correct_judge(const LabelledSample& sample,
                                      const CorrectionOptions& options = {});

// The mean human difference, second run minus first, of two runs of the same items that a judge
// scored and humans labelled in part: PPI++ on the differences of the pairs. Items at the same
// place are the same, and so are their clusters (the first's are used). The labels must be a random
// subset: where the judge's differences show that they are not (p < .01), it is refused. Fails on
// different sizes, fewer than 10 labels, and as prediction_powered_mean does.
Result<Estimate> correct_difference(const LabelledSample& first, const LabelledSample& second,
                                    const CorrectionOptions& options = {});

}  // namespace personascope::stats
