// Means of scores in clusters (questions of one persona), with errors that allow for clusters.
//
// Answers of one persona are correlated: fifty of them are far less than fifty independent
// observations. In simulation a naive 95 % interval covers 40 %, CR1 with t(G-1) covers 95 %. Near
// an end of the scale CR1 covers too little as well: see bounded_mean.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

// How the clusters' residual sums become a variance; names as in the literature.
enum class Correction {
  Cr0,        // none
  Cr1,        // times G/(G-1): the default everywhere
  Cr2,        // leverage-adjusted (Bell and McCaffrey)
  Jackknife,  // CV3: leave one cluster out, around the full estimate
};

// The mean of `values` with an error clustered by `clusters` (one key a row) and a t(G-1) interval.
// Fails on empty input, different sizes, and values that are not finite or not on the scale.
Result<Estimate> clustered_mean(std::span<const double> values,
                                std::span<const std::size_t> clusters,
                                const IntervalOptions& options = {},
                                Correction correction = Correction::Cr1);

// The mean with an error clustered both ways, e.g. by user and by task (Cameron, Gelbach and
// Miller), each part CR1. The smaller number of clusters counts, and df is that minus 1. If the
// two-way variance is negative the larger one-way error is used, with the caveat NegativeVariance.
// Fails as above.
Result<Estimate> two_way_mean(std::span<const double> values,
                              std::span<const std::size_t> first_clusters,
                              std::span<const std::size_t> second_clusters,
                              const IntervalOptions& options = {});

// The mean as if all rows were independent: for comparison only.
Result<Estimate> naive_mean(std::span<const double> values, const IntervalOptions& options = {});

}  // namespace personascope::stats
