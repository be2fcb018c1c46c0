#include "llm/embedded/worker_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

namespace personascope::llm::embedded {
namespace {

TEST(WorkerPool, CallsEachPartOnceInEveryStep) {
  WorkerPool pool(4);
  for (const std::size_t count : {0, 1, 2, 3, 64, 1000}) {
    std::vector<int> calls(count, 0);
    pool.for_each(count, [&](std::size_t i) { ++calls[i]; });
    EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), 0), static_cast<int>(count));
    for (const int times : calls) EXPECT_EQ(times, 1);
  }
}

TEST(WorkerPool, ReturnsOnlyWhenAllPartsAreDone) {
  WorkerPool pool(3);
  for (int step = 0; step < 2000; ++step) {
    std::atomic<int> done = 0;
    pool.for_each(5, [&](std::size_t) { ++done; });
    ASSERT_EQ(done, 5);
  }
}

TEST(WorkerPool, OneThreadKeepsTheOrder) {
  WorkerPool pool(1);
  std::vector<std::size_t> order;
  pool.for_each(4, [&](std::size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace personascope::llm::embedded
