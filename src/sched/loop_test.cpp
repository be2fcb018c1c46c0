#include "sched/loop.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace personascope::sched {
namespace {

Task<void> sleep_five_times(int index, int& woken) {
  for (int i = 0; i < 5; ++i) {
    co_await sleep_for(milliseconds((index * 7 + i * 13) % 50));
    ++woken;
  }
}

TEST(Loop, TwentyThousandCoroutinesAwaitAHundredThousandTimers) {
  Loop loop;
  int woken = 0;
  for (int i = 0; i < 20'000; ++i) loop.spawn(sleep_five_times(i, woken));
  loop.run();
  EXPECT_EQ(woken, 100'000);
}

Task<void> note_after(milliseconds wait, int name, std::vector<int>& order) {
  co_await sleep_for(wait);
  order.push_back(name);
}

TEST(Loop, TimersFireInTheOrderOfTheirTimes) {
  Loop loop;
  std::vector<int> order;
  for (const int wait : {60, 1, 40, 20}) loop.spawn(note_after(milliseconds(wait), wait, order));
  loop.run();
  EXPECT_EQ(order, (std::vector<int>{1, 20, 40, 60}));
}

Task<void> step(int name, std::vector<int>& order) {
  for (int i = 0; i < 3; ++i) {
    order.push_back(name);
    co_await yield();
  }
}

TEST(Loop, YieldLetsTheOthersRunFirst) {
  Loop loop;
  std::vector<int> order;
  loop.spawn(step(1, order));
  loop.spawn(step(2, order));
  loop.run();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1, 2, 1, 2}));
}

TEST(Loop, PostBringsWorkFromAnotherThread) {
  Loop loop;
  int posted = 0;
  const std::thread::id home = std::this_thread::get_id();
  std::thread other;
  // Keeps the loop busy while the other thread posts.
  std::vector<int> order;
  loop.spawn(note_after(milliseconds(200), 0, order));
  other = std::thread([&] {
    for (int i = 0; i < 1000; ++i) loop.post([&] { posted += std::this_thread::get_id() == home; });
  });
  loop.run();
  other.join();
  loop.run();
  EXPECT_EQ(posted, 1000);
}

TEST(Loop, RunsAgainAfterItEnded) {
  Loop loop;
  int woken = 0;
  loop.run();
  for (int i = 0; i < 3; ++i) {
    loop.spawn(sleep_five_times(i, woken));
    loop.run();
  }
  EXPECT_EQ(woken, 15);
}

Task<std::unique_ptr<std::string>> make_text() {
  co_await yield();
  co_return std::make_unique<std::string>("done");
}

TEST(Loop, RunToEndGivesTheTasksValue) {
  Loop loop;
  EXPECT_EQ(*run_to_end(loop, make_text()), "done");
}

Task<void> throw_soon() {
  co_await yield();
  throw std::runtime_error("a defect");
}

TEST(LoopDeathTest, AnExceptionEndsTheProgramWhereNobodyHandlesIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Loop loop;
  loop.spawn(throw_soon());
  EXPECT_DEATH(loop.run(), "a defect|terminate");
  EXPECT_DEATH(
      {
        loop.post([] { throw std::runtime_error("another"); });
        loop.run();
      },
      "a defect|another|terminate");
}

TEST(Loop, GivesAnExceptionToItsHandlerAndTheOtherTasksGoOn) {
  Loop loop;
  int caught = 0;
  int woken = 0;
  loop.on_exception([&](const std::exception_ptr& exception) {
    EXPECT_THROW(std::rethrow_exception(exception), std::runtime_error);
    ++caught;
  });
  loop.spawn(throw_soon());
  loop.post([] { throw std::runtime_error("another"); });
  loop.spawn(sleep_five_times(3, woken));
  loop.run();
  EXPECT_EQ(caught, 2);
  EXPECT_EQ(woken, 5);
}

TEST(Loop, WhatIsLeftWaitingIsFreedWithTheLoop) {
  const auto held = std::make_shared<int>(1);
  {
    Loop loop;
    const auto wait_long = [](std::shared_ptr<int>) -> Task<void> {
      co_await sleep_for(std::chrono::hours(1));
    };
    loop.spawn(wait_long(held));
    loop.context().poll();
    EXPECT_GT(held.use_count(), 1);
  }
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace personascope::sched
