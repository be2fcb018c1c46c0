// Strengths from pairwise verdicts: Bradley-Terry, with ties by Davidson's model.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace personascope::stats {

enum class PairOutcome { FirstWins, SecondWins, Tie };

struct PairVerdict {
  std::size_t first = 0;  // the players' numbers, from 0
  std::size_t second = 0;
  PairOutcome outcome = PairOutcome::Tie;
};

struct BradleyTerry {
  // Each player's log strength, centred to mean 0, by maximum likelihood; a difference of d means
  // odds of e^d among verdicts that are not ties. Errors take verdicts as independent; n is the
  // number of verdicts on the player.
  std::vector<Estimate> log_strengths;
  // Two equal players tie with chance ties / (2 + ties); nothing if no tie occurred.
  std::optional<double> ties;
  double log_likelihood = 0;
};

// Fails on fewer than 2 players, unknown players, a player against itself, nothing but ties, and
// where someone never lost to or never beat a group of the others: no strength is finite then.
Result<BradleyTerry> fit_bradley_terry(std::span<const PairVerdict> verdicts, std::size_t players,
                                       double confidence = 0.95);

}  // namespace personascope::stats
