// What a comparison of several runs claims, and what it could have: sign flips of all runs at once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.hpp"
#include "stats/sign_flip.hpp"

namespace personascope::stats {

// The differences of one run from the baseline, as the flips take them.
struct FlipInput {
  std::vector<double> differences;    // one a row; with Weight::Cluster one a cluster
  std::vector<std::size_t> clusters;  // their keys
  std::vector<std::size_t> sizes;     // how many differences each cluster has
  // The sum of a cluster that was not seen, near an end of the scale.
  std::optional<double> unseen;
};

// `first` is the baseline; rows at the same place are the same item. None is empty.
FlipInput make_flip_input(std::span<const double> first, std::span<const double> second,
                          std::span<const std::size_t> clusters, const Scale& scale, Weight weight);

// max_t_test; where some run has an unseen cluster, with and without these, and the larger p-values
// count.
Result<std::vector<MaxTResult>> test_flips(const std::vector<const FlipInput*>& inputs,
                                           const SignFlipOptions& options);

// shared_level of the differences that were seen.
Result<SharedLevel> shared_flip_level(const std::vector<const FlipInput*>& inputs, double alpha,
                                      const SignFlipOptions& options);

// Gives a difference with standard error and df the interval at the confidence 1 - `level`. `width`
// is the scale's, at which the interval is cut off.
void make_simultaneous(Estimate& difference, double level, std::size_t comparisons, double width);

}  // namespace personascope::stats
