// Rows sorted into clusters by a key such as the persona's number.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace personascope::stats {

struct Grouping {
  std::vector<std::size_t> of_row;  // the cluster of each row, numbered by first appearance
  std::size_t count = 0;            // how many clusters there are
};

Grouping make_grouping(std::span<const std::size_t> keys);
// Clusters of rows that agree in both groupings; both cover the same rows.
Grouping make_intersection(const Grouping& first, const Grouping& second);

// What clustered formulas need of each cluster: its sum and its size.
struct ClusterTotals {
  std::vector<double> sums;
  std::vector<std::size_t> sizes;
};

// `values` has one entry for each row of the grouping.
ClusterTotals total_by_cluster(std::span<const double> values, const Grouping& grouping);

// The row numbers of each cluster, in order.
std::vector<std::vector<std::size_t>> rows_by_cluster(const Grouping& grouping);

}  // namespace personascope::stats
