// Identification: among several personas, does the true one make an answer most likely?
//
// Scores are centred by each persona's mean over answers that are not its own, since some personas
// make any text more likely. Questions made for a persona reveal it even if the answer ignores it,
// so the same questions answered without a persona are the control, and the main result is the
// difference.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "stats/estimate.hpp"
#include "stats/paired.hpp"

namespace personascope::judge {

// One answer's lift (nats a token, against no persona) under each candidate persona, the true one
// among them.
struct Candidate {
  std::size_t persona = 0;  // a number below the count of personas
  double score = 0;
};
struct ScoredAnswer {
  std::size_t persona = 0;
  std::vector<Candidate> candidates;
};

struct Identification {
  stats::Estimate accuracy;  // clustered by persona; a tie for the first place counts in part
  stats::Estimate reciprocal_rank;  // clustered by persona
  double chance_accuracy = 0;
  double chance_reciprocal_rank = 0;
  // How often each (true, named) pair of personas came up, ties counted in part; never is absent.
  std::map<std::pair<std::size_t, std::size_t>, double> confusion;
  // One entry an answer, for comparisons.
  std::vector<double> hits;
  std::vector<double> reciprocal_ranks;
};

// Fails as Invalid on no answers, a persona out of range, fewer than two candidates, a candidate
// twice, the true one missing, and scores that are not finite.
Result<Identification> identify(std::span<const ScoredAnswer> answers, std::size_t personas);

// How much better answers are identified than the control's, question by question; both must be
// about the same items in the same order. Clustered by the items' personas.
Result<stats::PairedComparison> compare_with_control(const Identification& answers,
                                                     const Identification& control,
                                                     std::span<const std::size_t> item_personas);

}  // namespace personascope::judge
