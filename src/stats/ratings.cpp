#include "stats/ratings.hpp"

#include <algorithm>
#include <cmath>

#include "stats/grouping.hpp"

namespace personascope::stats {
namespace {

bool has_duplicate(std::span<const Rating> of_item) {
  return std::ranges::adjacent_find(of_item, {}, &Rating::rater) != of_item.end();
}

}  // namespace

Result<RatedItems> make_rated_items(std::span<const Rating> ratings, std::size_t fewest) {
  std::vector<std::size_t> item_keys;
  item_keys.reserve(ratings.size());
  for (const Rating& rating : ratings) {
    if (!std::isfinite(rating.value)) {
      return fail(ErrorKind::Invalid, "the rating of item {} by rater {} is not finite",
                  rating.item, rating.rater);
    }
    item_keys.push_back(rating.item);
  }
  const Grouping items = make_grouping(item_keys);

  std::vector<std::size_t> next(items.count + 1);
  for (const std::size_t item : items.of_row) ++next[item + 1];
  for (std::size_t item = 0; item < items.count; ++item) next[item + 1] += next[item];
  const std::vector<std::size_t> starts = next;
  std::vector<Rating> sorted(ratings.size());
  for (std::size_t i = 0; i < ratings.size(); ++i) sorted[next[items.of_row[i]]++] = ratings[i];

  RatedItems result;
  result.values.reserve(ratings.size());
  for (std::size_t item = 0; item < items.count; ++item) {
    const auto of_item = std::span(sorted).subspan(starts[item], starts[item + 1] - starts[item]);
    if (!std::ranges::is_sorted(of_item, {}, &Rating::rater)) {
      std::ranges::sort(of_item, {}, &Rating::rater);
    }
    if (has_duplicate(of_item)) {
      return fail(ErrorKind::Invalid, "a rater rated item {} twice", of_item.front().item);
    }
    if (of_item.size() < fewest) continue;
    for (const Rating& rating : of_item) result.values.push_back(rating.value);
    result.starts.push_back(result.values.size());
  }
  return result;
}

}  // namespace personascope::stats
