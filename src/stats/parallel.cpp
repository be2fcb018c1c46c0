#include "stats/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace personascope::stats {

void for_each_block(std::size_t count, unsigned threads,
                    const std::function<void(std::size_t first, std::size_t last)>& work) {
  constexpr std::size_t kBlock = 128;
  std::atomic<std::size_t> next = 0;
  const auto take_blocks = [&] {
    for (std::size_t first = next.fetch_add(kBlock); first < count;
         first = next.fetch_add(kBlock)) {
      work(first, std::min(first + kBlock, count));
    }
  };

  const std::size_t useful = std::min<std::size_t>(threads, (count + kBlock - 1) / kBlock);
  std::vector<std::jthread> others;
  others.reserve(useful);
  try {
    while (others.size() + 1 < useful) others.emplace_back(take_blocks);
  } catch (const std::system_error&) {
    // Fewer threads only take longer.
  }
  take_blocks();
}

}  // namespace personascope::stats
