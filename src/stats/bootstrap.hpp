// The bootstrap on the level of clusters: whole personas are drawn, with all their rows.
//
// For means prefer clustered_mean: with 10 personas a 95 % bootstrap interval covers 92 %. Use it
// for statistics that have no formula for an interval, such as agreement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace personascope::stats {

enum class BootstrapInterval { Percentile, Bca };

struct BootstrapOptions {
  std::size_t replicates = 9999;
  std::uint64_t seed = 0;
  unsigned threads = 1;  // affects only the time, not the result
  BootstrapInterval interval = BootstrapInterval::Bca;
  IntervalOptions bounds = {};
};

// The mean over all rows; rules for few clusters as in clustered_mean.
Result<Estimate> bootstrap_mean(std::span<const double> values,
                                std::span<const std::size_t> clusters,
                                const BootstrapOptions& options = {});

// A statistic of the rows with these numbers (a row drawn twice comes twice). It must not throw and
// must be safe to call on several threads.
using Statistic = std::function<Result<double>(std::span<const std::size_t> rows)>;

// Any statistic. Replicates where it is undefined are left out and flagged; fails if it is
// undefined on the data themselves or on more than a tenth of the replicates.
Result<Estimate> bootstrap(std::span<const std::size_t> clusters, const Statistic& statistic,
                           const BootstrapOptions& options = {});

// The building blocks, for replicates made elsewhere.

// The value below which a share of `probability` lies, interpolated linearly (numpy's default).
// `sorted` ascends and is not empty.
double quantile_of_sorted(std::span<const double> sorted, double probability);

struct BcaInterval {
  double bias = 0;  // z0
  double acceleration = 0;
  double low_probability = 0;  // the replicates' quantiles that bound the interval
  double high_probability = 0;
  Interval interval;
};

// The bias-corrected and accelerated interval (Efron 1987) from replicates, the value on the data,
// and the values with each cluster left out. Fails if all replicates lie on one side of the value.
Result<BcaInterval> bca_interval(std::vector<double> replicates, double observed,
                                 std::span<const double> left_out, double confidence = 0.95);

}  // namespace personascope::stats
