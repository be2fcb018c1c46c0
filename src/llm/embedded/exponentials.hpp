// The exponentials of a whole vocabulary's logits, quickly: this is done for every token.
#pragma once

#include <span>
#include <vector>

namespace personascope::llm::embedded {

// Of at least one.
float largest_of(std::span<const float> logits);
// False if any is infinite or no number: what damaged weights give.
bool are_finite(std::span<const float> logits);

// exp((logit - the largest) / temperature) of each, and their sum, to a relative error of 1e-6 (of
// a weight below 1e-10 of the largest: 3e-5).
struct Exponentials {
  std::vector<float> weights;
  float largest = 0;
  double sum = 0;
};
Exponentials make_exponentials(std::span<const float> logits, double temperature = 1);

// log(sum(exp(logits))).
double log_sum_exp(std::span<const float> logits);

}  // namespace personascope::llm::embedded
