#include "sched/stop.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace personascope::sched {
namespace {

const Error kReason{ErrorKind::Cancelled, "enough"};

Task<void> sleep_and_count(Stop& stop, Duration duration, int& whole, int& cut) {
  const bool slept = co_await stop.sleep_for(duration);
  ++(slept ? whole : cut);
}

Task<void> stop_after(Stop& stop, Duration duration) {
  co_await sleep_for(duration);
  stop.request(kReason);
}

TEST(Stop, WakesEverybodyWhoSleeps) {
  Loop loop;
  Stop stop(loop);
  int whole = 0;
  int cut = 0;
  for (int i = 0; i < 1000; ++i)
    loop.spawn(sleep_and_count(stop, std::chrono::hours(1), whole, cut));
  loop.spawn(stop_after(stop, milliseconds(10)));
  loop.run();
  EXPECT_EQ(whole, 0);
  EXPECT_EQ(cut, 1000);
}

TEST(Stop, WithoutItASleepIsWhole) {
  Loop loop;
  Stop stop(loop);
  int whole = 0;
  int cut = 0;
  const TimePoint start = SteadyClock::now();
  loop.spawn(sleep_and_count(stop, milliseconds(20), whole, cut));
  loop.run();
  EXPECT_EQ(whole, 1);
  EXPECT_GE(SteadyClock::now() - start, milliseconds(20));
}

TEST(Stop, AfterwardsNobodyFallsAsleep) {
  Loop loop;
  Stop stop(loop);
  stop.request(kReason);
  int whole = 0;
  int cut = 0;
  loop.spawn(sleep_and_count(stop, std::chrono::hours(1), whole, cut));
  loop.run();
  EXPECT_EQ(cut, 1);
}

TEST(Stop, TheFirstReasonStays) {
  Loop loop;
  Stop stop(loop);
  EXPECT_FALSE(stop.requested());
  stop.request(kReason);
  stop.request(Error{ErrorKind::Internal, "later"});
  EXPECT_TRUE(stop.requested());
  EXPECT_EQ(stop.reason().kind, ErrorKind::Cancelled);
  EXPECT_EQ(stop.reason().message, "enough");
}

TEST(Stop, CallsEachSubscriberOnceAndNoneThatLeft) {
  Loop loop;
  Stop stop(loop);
  int stayed = 0;
  int left = 0;
  const auto staying = stop.subscribe([&] { ++stayed; });
  {
    const auto leaving = stop.subscribe([&] { ++left; });
  }
  stop.request(kReason);
  stop.request(kReason);
  EXPECT_EQ(stayed, 1);
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace personascope::sched
