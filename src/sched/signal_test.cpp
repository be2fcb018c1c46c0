#include "sched/signal.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

namespace personascope::sched {
namespace {

Task<void> wait_and_count(Signal& signal, int& woken) {
  co_await signal.wait();
  ++woken;
}

Task<void> wait_some_time(Signal& signal, Duration duration, std::optional<bool>& was_set) {
  was_set = co_await signal.wait_for(duration);
}

Task<void> set_after(Signal& signal, Duration duration) {
  co_await sleep_for(duration);
  signal.set();
}

TEST(Signal, WakesEverybodyWhoWaits) {
  Loop loop;
  Signal signal(loop);
  int woken = 0;
  for (int i = 0; i < 1000; ++i) loop.spawn(wait_and_count(signal, woken));
  loop.spawn(set_after(signal, milliseconds(10)));
  loop.run();
  EXPECT_EQ(woken, 1000);
}

TEST(Signal, StaysSetForWhoeverComesLater) {
  Loop loop;
  Signal signal(loop);
  EXPECT_FALSE(signal.is_set());
  signal.set();
  signal.set();
  EXPECT_TRUE(signal.is_set());
  int woken = 0;
  std::optional<bool> was_set;
  loop.spawn(wait_and_count(signal, woken));
  loop.spawn(wait_some_time(signal, std::chrono::hours(1), was_set));
  loop.run();
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(was_set, true);
}

TEST(Signal, AWaitWithATimeTellsWhichCameFirst) {
  Loop loop;
  Signal late(loop);
  Signal soon(loop);
  std::optional<bool> late_was_set;
  std::optional<bool> soon_was_set;
  loop.spawn(wait_some_time(late, milliseconds(5), late_was_set));
  loop.spawn(wait_some_time(soon, Duration::max(), soon_was_set));
  loop.spawn(set_after(soon, milliseconds(5)));
  loop.run();
  EXPECT_EQ(late_was_set, false);
  EXPECT_EQ(soon_was_set, true);
}

Task<void> wait_twice(Signal& signal, std::optional<bool>& first, int& woken) {
  first = co_await signal.wait_for(milliseconds(1));
  co_await signal.wait();
  ++woken;
}

TEST(Signal, CanBeWaitedForAgainAfterTheTimePassed) {
  Loop loop;
  Signal signal(loop);
  std::optional<bool> first;
  int woken = 0;
  loop.spawn(wait_twice(signal, first, woken));
  loop.spawn(set_after(signal, milliseconds(30)));
  loop.run();
  EXPECT_EQ(first, false);
  EXPECT_EQ(woken, 1);
}

TEST(Signal, AnotherThreadSetsItThroughPost) {
  Loop loop;
  Signal signal(loop);
  int woken = 0;
  loop.spawn(wait_and_count(signal, woken));
  std::thread other([&] { loop.post([&] { signal.set(); }); });
  loop.run();
  other.join();
  EXPECT_EQ(woken, 1);
}

}  // namespace
}  // namespace personascope::sched
