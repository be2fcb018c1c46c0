#include "base/all.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "base/result.hpp"
#include "sched/loop.hpp"

namespace personascope {
namespace {

using std::chrono::milliseconds;

Task<int> wait_and_return(int wait_ms, int value) {
  co_await sched::sleep_for(milliseconds(wait_ms));
  co_return value;
}

Task<Result<int>> fail_at_once() {
  co_return fail(ErrorKind::Invalid, "no");
}

TEST(All, GivesTheValuesInTheOrderOfTheTasks) {
  sched::Loop loop;
  std::vector<Task<int>> tasks;
  tasks.push_back(wait_and_return(20, 1));
  tasks.push_back(wait_and_return(0, 2));
  tasks.push_back(wait_and_return(10, 3));
  EXPECT_EQ(sched::run_to_end(loop, all(std::move(tasks))), (std::vector<int>{1, 2, 3}));
}

TEST(All, RunsTheTasksAtOnce) {
  sched::Loop loop;
  std::vector<Task<int>> tasks;
  for (int i = 0; i < 50; ++i) tasks.push_back(wait_and_return(40, i));
  const auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(sched::run_to_end(loop, all(std::move(tasks))).size(), 50u);
  EXPECT_LT(std::chrono::steady_clock::now() - started, milliseconds(50 * 40 / 2));
}

TEST(All, OfNothingIsNothing) {
  sched::Loop loop;
  EXPECT_TRUE(sched::run_to_end(loop, all(std::vector<Task<int>>{})).empty());
}

TEST(All, CarriesFailuresAsValues) {
  sched::Loop loop;
  std::vector<Task<Result<int>>> tasks;
  tasks.push_back(fail_at_once());
  const auto values = sched::run_to_end(loop, all(std::move(tasks)));
  ASSERT_EQ(values.size(), 1u);
  EXPECT_FALSE(values[0].has_value());
}

}  // namespace
}  // namespace personascope
