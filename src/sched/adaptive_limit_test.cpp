#include "sched/adaptive_limit.hpp"

#include <gtest/gtest.h>

namespace personascope::sched {
namespace {

const TimePoint kStart{seconds(1000)};

// As many successes as a full round trip brings.
void run_round(AdaptiveLimit& limit) {
  const int calls = limit.limit();
  for (int i = 0; i < calls; ++i) limit.on_success(calls, kStart, kStart);
}

// A full limit's successes, one every millisecond.
void succeed_for(AdaptiveLimit& limit, TimePoint& now, Duration time) {
  for (const TimePoint end = now + time; now < end; now += milliseconds(1))
    limit.on_success(limit.limit(), now - milliseconds(20), now);
}

TEST(AdaptiveLimit, StartsLowAndDoublesEveryRoundTripUntilItsBound) {
  AdaptiveLimit limit({.start = 4, .most = 100});
  EXPECT_EQ(limit.limit(), 4);
  run_round(limit);
  EXPECT_EQ(limit.limit(), 8);
  run_round(limit);
  EXPECT_EQ(limit.limit(), 16);
  for (int i = 0; i < 10; ++i) run_round(limit);
  EXPECT_EQ(limit.limit(), 100);
}

TEST(AdaptiveLimit, DoesNotGrowWhileItIsNotUsed) {
  AdaptiveLimit limit({.start = 10, .most = 100});
  for (int i = 0; i < 1000; ++i) limit.on_success(4, kStart, kStart);
  EXPECT_EQ(limit.limit(), 10);
  limit.on_success(5, kStart, kStart);
  EXPECT_EQ(limit.limit(), 11);
}

TEST(AdaptiveLimit, ARefusalLeavesALittleLessThanWhatStaysInFlight) {
  AdaptiveLimit limit({.start = 64, .most = 1000});
  limit.cut(50, kStart);
  EXPECT_EQ(limit.limit(), 49);
  AdaptiveLimit small({.start = 16, .most = 1000});
  small.cut(3, kStart);
  EXPECT_EQ(small.limit(), 3) << "one less of three would be a third";
  small.cut(200, kStart);
  EXPECT_EQ(small.limit(), 3) << "a refusal never raises it";
}

TEST(AdaptiveLimit, FurtherRefusalsOfTheSameBurstOnlyLowerIt) {
  AdaptiveLimit limit({.start = 64, .most = 1000});
  limit.cut(63, kStart);
  for (int i = 0; i < 13; ++i) limit.lower();
  EXPECT_EQ(limit.limit(), 49);
}

TEST(AdaptiveLimit, IsRaisedInTimeAndNotInRoundTrips) {
  AdaptiveLimit limit({.start = 64, .most = 1000});
  limit.cut(50, kStart);
  for (int i = 0; i < 100; ++i) run_round(limit);
  EXPECT_EQ(limit.limit(), 49);
  TimePoint now = kStart;
  succeed_for(limit, now, seconds(2));
  EXPECT_GE(limit.limit(), 50);
  EXPECT_LE(limit.limit(), 51);
  succeed_for(limit, now, seconds(20));
  EXPECT_GT(limit.limit(), 90) << "the longer nothing is refused, the quicker";
}

TEST(AdaptiveLimit, ProbesMoreSeldomWhereTheNumberFoundStays) {
  AdaptiveLimit limit({.start = 64, .most = 1000});
  TimePoint now = kStart;
  limit.cut(50, now);
  const auto time_to_51 = [&] {
    const TimePoint from = now;
    while (limit.limit() < 51) succeed_for(limit, now, milliseconds(10));
    limit.cut(50, now);
    return now - from;
  };
  const Duration first = time_to_51(), second = time_to_51();
  EXPECT_GT(first, seconds(2));
  EXPECT_GT(second, first * 3 / 2);
  limit.cut(20, now);  // the server takes less now: find out how much
  succeed_for(limit, now, seconds(5));
  EXPECT_GE(limit.limit(), 22);
}

TEST(AdaptiveLimit, IdleTimeIsNoTimeOfProbing) {
  AdaptiveLimit limit({.start = 64, .most = 1000});
  limit.cut(50, kStart);
  limit.on_success(49, kStart + seconds(1000), kStart + seconds(1000) + milliseconds(20));
  EXPECT_EQ(limit.limit(), 49);
}

TEST(AdaptiveLimit, NeverFallsBelowOneAndStartsAnewWhenNothingIsKnown) {
  AdaptiveLimit limit({.start = 16, .most = 1000});
  limit.cut(15, kStart);
  for (int i = 0; i < 100; ++i) limit.lower();
  EXPECT_EQ(limit.limit(), 1);
  limit.restart();
  for (int i = 0; i < 5; ++i) run_round(limit);
  EXPECT_EQ(limit.limit(), 32);
}

TEST(AdaptiveLimit, AFixedLimitIsItsBoundForEver) {
  AdaptiveLimit limit({.start = 1, .most = 50, .adapt = false});
  EXPECT_EQ(limit.limit(), 50);
  limit.cut(10, kStart);
  limit.lower();
  EXPECT_EQ(limit.limit(), 50);
  limit.on_success(50, kStart, kStart);
  EXPECT_EQ(limit.limit(), 50);
}

TEST(AdaptiveLimit, OddOptionsStillLetOneThrough) {
  for (const bool adapt : {true, false})
    for (const int most : {0, -5, 1}) {
      AdaptiveLimit limit({.start = -3, .most = most, .adapt = adapt});
      EXPECT_EQ(limit.limit(), 1);
      limit.on_success(1, kStart, kStart);
      EXPECT_EQ(limit.limit(), 1);
    }
  EXPECT_EQ(AdaptiveLimit({.start = 16, .most = 5}).limit(), 5);
}

}  // namespace
}  // namespace personascope::sched
