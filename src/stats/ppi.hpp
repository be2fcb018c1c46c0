// Prediction-powered inference: a few human labels correct a judge that scored everything.
//
// The labelled items must be a random subset of the run; if they are not, use rogan_gladen. Below
// 50 labels the correction may be no better than the labels alone (caveat FewLabels).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

struct LabelledSample {
  std::span<const double> human;           // the labels
  std::span<const double> judge_on_human;  // the judge's scores of the same items
  std::span<const double> judge_only;      // the judge's scores of all other items
  // Keys of the items' clusters, or both empty if items stand alone.
  std::span<const std::size_t> human_clusters = {};
  std::span<const std::size_t> judge_only_clusters = {};
};

enum class PpiTuning {
  Full,      // PPI: the judge counts in full
  Tuned,     // PPI++: the judge counts as far as it helps
  CrossFit,  // PPI++ with the tuning of each fold learnt from the others: the default
};

struct PpiOptions {
  PpiTuning tuning = PpiTuning::CrossFit;
  std::size_t folds = 5;
  std::uint64_t seed = 0;
  IntervalOptions bounds = {};
};

// The mean human score of the whole run. Items that stand alone get a normal interval as in ppi_py;
// with clusters it is CR1 with t(G-1), where G counts the clusters that have labels; folds never
// split a cluster, and the rules for few clusters hold. Fails on empty or uneven input, fewer than
// 2 labels, or fewer labelled clusters than folds.
Result<Estimate> prediction_powered_mean(const LabelledSample& sample,
                                         const PpiOptions& options = {});

}  // namespace personascope::stats
