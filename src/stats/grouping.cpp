#include "stats/grouping.hpp"

#include <unordered_map>

#include "stats/sum.hpp"

namespace personascope::stats {

Grouping make_grouping(std::span<const std::size_t> keys) {
  Grouping grouping;
  grouping.of_row.reserve(keys.size());
  std::unordered_map<std::size_t, std::size_t> number_of;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    // Rows of a cluster mostly stand together, which spares the look-up.
    if (row > 0 && keys[row] == keys[row - 1]) {
      grouping.of_row.push_back(grouping.of_row.back());
      continue;
    }
    grouping.of_row.push_back(number_of.try_emplace(keys[row], number_of.size()).first->second);
  }
  grouping.count = number_of.size();
  return grouping;
}

Grouping make_intersection(const Grouping& first, const Grouping& second) {
  std::vector<std::size_t> keys(first.of_row.size());
  for (std::size_t row = 0; row < keys.size(); ++row) {
    keys[row] = first.of_row[row] * second.count + second.of_row[row];
  }
  return make_grouping(keys);
}

ClusterTotals total_by_cluster(std::span<const double> values, const Grouping& grouping) {
  std::vector<Sum> sums(grouping.count);
  ClusterTotals totals{.sums = {}, .sizes = std::vector<std::size_t>(grouping.count)};
  for (std::size_t row = 0; row < values.size(); ++row) {
    const std::size_t cluster = grouping.of_row[row];
    sums[cluster].add(values[row]);
    ++totals.sizes[cluster];
  }
  totals.sums.reserve(grouping.count);
  for (const Sum& sum : sums) totals.sums.push_back(sum.value());
  return totals;
}

std::vector<std::vector<std::size_t>> rows_by_cluster(const Grouping& grouping) {
  std::vector<std::vector<std::size_t>> rows(grouping.count);
  for (std::size_t row = 0; row < grouping.of_row.size(); ++row) {
    rows[grouping.of_row[row]].push_back(row);
  }
  return rows;
}

}  // namespace personascope::stats
