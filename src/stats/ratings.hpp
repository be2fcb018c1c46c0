// Ratings in long form, one entry for each rater and item that exist; missing ones are just absent.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

struct Rating {
  std::size_t item = 0;
  std::size_t rater = 0;
  double value = 0;
};

// The values of each item side by side; item i has values[starts[i]] up to values[starts[i + 1]].
struct RatedItems {
  std::vector<double> values;
  std::vector<std::size_t> starts{0};

  std::size_t count() const { return starts.size() - 1; }
  std::span<const double> of(std::size_t item) const {
    return std::span(values).subspan(starts[item], starts[item + 1] - starts[item]);
  }
};

// Sorts ratings by item, in order of first appearance, and leaves out items with fewer than
// `fewest` ratings. Fails on values that are not finite and on a rater who rated an item twice.
Result<RatedItems> make_rated_items(std::span<const Rating> ratings, std::size_t fewest);

}  // namespace personascope::stats
