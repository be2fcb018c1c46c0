// Empirical-Bayes shrinkage of rates in small cells: each cell borrows strength from the others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace personascope::stats {

struct RateCell {
  std::size_t successes = 0;
  std::size_t n = 0;
};

struct Shrinkage {
  double alpha = 0;  // the cells' rates follow Beta(alpha, beta), by maximum likelihood
  double beta = 0;
  double log_likelihood = 0;  // with the binomial coefficients
  // Each cell's posterior mean, standard deviation and central interval, in the order given.
  std::vector<Estimate> cells;
};

// Where the cells differ no more than chance explains, the likelihood has no maximum: alpha + beta
// is then a million, and every cell gets the common rate with the caveat NoVariation. Cells may be
// empty. Fails if fewer than 2 have trials, or if all trials of all cells ended alike.
Result<Shrinkage> shrink_rates(std::span<const RateCell> cells, double confidence = 0.95);

}  // namespace personascope::stats
