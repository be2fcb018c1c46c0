// What a statistic returns: a value, its interval, and the numbers of rows and clusters.
//
// No statistic throws or returns NaN: if a number is undefined the result is an Error of kind
// Invalid whose message says why.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

struct Interval {
  double low = 0;
  double high = 0;
};

// The values a score can take. Intervals are cut off at its ends.
struct Scale {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};
inline constexpr Scale kUnitScale{0, 1};

// What a mean is the mean of.
enum class Weight {
  Row,      // every row counts alike: a persona with more rows counts for more
  Cluster,  // every cluster (persona) counts alike: the mean of the clusters' means
};

struct IntervalOptions {
  Scale scale = {};
  double confidence = 0.95;
  Weight weight = Weight::Row;
};

// A reason to trust an estimate less, or why a part of it is missing.
enum class Caveat {
  NoError,              // fewer than 2 clusters: there is no standard error
  TooFewForInterval,    // fewer than 5 clusters: there is no interval
  FewClusters,          // fewer than 10 clusters
  NoVariation,          // all clusters are equal: the spread is unknown, there is no interval
  NearScaleEnd,         // within a tenth of an end of the scale: the interval covers too little
  NegativeVariance,     // two-way clustering failed, the larger one-way error is used
  ClippedToScale,       // the value itself lay outside the scale
  UndefinedReplicates,  // some bootstrap replicates had no value and were left out
  MostlyUndefined,      // too many resamples had no value: there is no interval
  PercentileInstead,    // BCa is undefined here, the percentile interval is used
  FewLabels,            // fewer than 50 human labels: the correction may not help
  DominantCluster,      // one cluster has a quarter of the rows and twice its equal share
  RareClusters,  // near an end of the scale: clusters too rare to be seen may change the mean
};

// The caveat as a sentence for people; `unit` names an independent unit, in the singular.
std::string sentence_of(Caveat caveat, std::string_view unit = "persona");
// The caveat's name for programs, such as "few_clusters". It never changes.
std::string_view code_of(Caveat caveat);
// How many clusters (or labels) would have been enough; nothing where it is not a matter of number.
std::optional<std::size_t> needed_for(Caveat caveat);

struct Estimate {
  double value = 0;
  std::optional<double> standard_error;
  std::optional<Interval> interval;
  std::optional<double> df;  // of the interval's t quantile; nothing: normal, exact or resampled
  std::size_t n = 0;         // rows
  std::size_t clusters = 0;  // independent groups of rows; n if each row is its own cluster
  // As many clusters of equal size would weigh alike: 1 / (sum of the clusters' shares squared).
  // Nothing where the clusters count alike anyway.
  std::optional<double> effective_clusters = {};
  double largest_share = 0;  // of the rows, in one cluster; 0: not asked
  std::string method;
  std::string interval_method;  // where the interval was made in a way of its own; else empty
  std::vector<Caveat> caveats;

  bool has(Caveat caveat) const;
};

// The independent unit of a table: "item" if each row is its own cluster, otherwise "cluster".
std::string_view unit_of(const Estimate& estimate);

// The outcome of a significance test.
struct TestResult {
  double p_value = 1;
  double statistic = 0;
  std::size_t n = 0;
  std::size_t clusters = 0;
  std::string method;
};

// Adds standard error and t(df) interval to `estimate` by the rules for few clusters: none below 2,
// no interval below 5, a warning below 10. Fails if a number is not finite or the options are
// wrong.
Result<Estimate> with_t_interval(Estimate estimate, double variance, double df,
                                 const IntervalOptions& options);
// The same with the normal quantile.
Result<Estimate> with_normal_interval(Estimate estimate, double variance,
                                      const IntervalOptions& options);
// The same rules for an interval that was made elsewhere.
Result<Estimate> with_interval(Estimate estimate, double standard_error, Interval interval,
                               const IntervalOptions& options);

// A value without an error of its own; `bootstrap` gives it one. Fails if it is not finite.
Result<Estimate> bare_estimate(double value, std::size_t n, std::string_view method);

Result<void> check_confidence(double confidence);

}  // namespace personascope::stats
