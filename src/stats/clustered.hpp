// Means of scores in clusters (questions of one persona), with errors that allow for clusters.
//
// Answers of one persona are correlated: fifty of them are far less than fifty independent
// observations. In simulation a naive 95 % interval covers 40 %, a clustered one 95 %. If one
// persona holds half of the rows, CR1 with t(G-1) covers 82 % with 10 personas and 64 % with 100;
// CR2 with Bell and McCaffrey's degrees of freedom covers 94 to 97 %. With clusters of equal size
// both are the same. Near an end of the scale all of them cover too little: see score_mean.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"

namespace personascope::stats {

// How the clusters' residual sums become a variance; names as in the literature.
enum class Correction {
  Cr0,        // none
  Cr1,        // times G/(G-1)
  Cr2,        // leverage-adjusted, with Bell and McCaffrey's degrees of freedom: the default
  Jackknife,  // CV3: leave one cluster out, around the full estimate
};

// The mean of `values` with an error clustered by `clusters` (one key a row) and a t interval: df
// is G-1, with CR2 as many as Bell and McCaffrey give. With Weight::Cluster it is the mean of the
// clusters' means. Fails on empty input, different sizes, and values that are not finite or not on
// the scale.
Result<Estimate> clustered_mean(std::span<const double> values,
                                std::span<const std::size_t> clusters,
                                const IntervalOptions& options = {},
                                Correction correction = Correction::Cr2);

// The mean with an error clustered both ways, e.g. by user and by task (Cameron, Gelbach and
// Miller), each part CR2. The smaller number of clusters and the smaller df count. If the
// two-way variance is negative the larger one-way error is used, with the caveat NegativeVariance.
// Fails as above.
Result<Estimate> two_way_mean(std::span<const double> values,
                              std::span<const std::size_t> first_clusters,
                              std::span<const std::size_t> second_clusters,
                              const IntervalOptions& options = {});

// The mean as if all rows were independent: for comparison only.
Result<Estimate> naive_mean(std::span<const double> values, const IntervalOptions& options = {});

// The degrees of freedom that Bell and McCaffrey (2002) give the CR2 variance of a mean if the rows
// are independent: G-1 for equal shares, about 3 if one of many clusters has half of the rows.
// `shares` are the clusters' shares of the weight; they add up to 1 and are all below 1.
double bell_mccaffrey_df(std::span<const double> shares);

}  // namespace personascope::stats
