#include "stats/isotonic.hpp"

#include <algorithm>
#include <numeric>

#include "stats/check.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// Neighbouring judge scores that share one calibrated score.
struct Pool {
  double mean = 0;
  double weight = 0;
  std::size_t scores = 0;
};

void merge_last_two(std::vector<Pool>& pools) {
  const Pool last = pools.back();
  pools.pop_back();
  Pool& merged = pools.back();
  const double weight = merged.weight + last.weight;
  merged.mean = (merged.mean * merged.weight + last.mean * last.weight) / weight;
  merged.weight = weight;
  merged.scores += last.scores;
}

}  // namespace

Result<IsotonicCalibration> IsotonicCalibration::create(std::span<const double> judge,
                                                        std::span<const double> human) {
  RETURN_IF_ERROR(check_values(judge, "judge scores"));
  RETURN_IF_ERROR(check_values(human, "human scores"));
  RETURN_IF_ERROR(check_same_size(judge.size(), human.size(), "judge and human scores"));
  std::vector<std::size_t> order(judge.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return judge[i]; });

  IsotonicCalibration calibration;
  std::vector<Pool> pools;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    Sum sum;
    for (; last < order.size() && judge[order[last]] == judge[order[first]]; ++last) {
      sum.add(human[order[last]]);
    }
    const double weight = real(last - first);
    calibration.judge_.push_back(judge[order[first]]);
    pools.push_back({sum.value() / weight, weight, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean >= pools.back().mean) {
      merge_last_two(pools);
    }
    first = last;
  }
  for (const Pool& pool : pools) {
    calibration.human_.insert(calibration.human_.end(), pool.scores, pool.mean);
  }
  return calibration;
}

double IsotonicCalibration::at(double judge) const {
  const auto above = std::ranges::upper_bound(judge_, judge);
  if (above == judge_.begin()) return human_.front();
  if (above == judge_.end()) return human_.back();
  const auto high = static_cast<std::size_t>(above - judge_.begin());
  const double share = (judge - judge_[high - 1]) / (judge_[high] - judge_[high - 1]);
  return human_[high - 1] + share * (human_[high] - human_[high - 1]);
}

}  // namespace personascope::stats
