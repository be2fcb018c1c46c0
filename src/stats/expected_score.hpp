// A judge's score as the mean of its distribution over the label tokens, not only its likeliest.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.hpp"

namespace personascope::stats {

struct LabelProbability {
  double score = 0;
  double log_probability = 0;  // natural; minus infinity for "never"
};

struct ExpectedScore {
  double value = 0;               // over the labels, their probabilities scaled to sum to 1
  double standard_deviation = 0;  // of that distribution
  double captured_mass = 0;       // what the labels' probabilities summed to before
};

// A score may stand under several tokens ("4" and " 4"): their probabilities add up. Below a mass
// of .5 a free verdict is better read as "cannot assess". Fails on no labels, scores that are not
// finite, no mass at all, and probabilities that sum to more than 1.
Result<ExpectedScore> expected_score(std::span<const LabelProbability> labels);

}  // namespace personascope::stats
