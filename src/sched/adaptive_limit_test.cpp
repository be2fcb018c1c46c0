#include "sched/adaptive_limit.hpp"

#include <gtest/gtest.h>

namespace personascope::sched {
namespace {

const TimePoint kStart{seconds(1000)};

// As many successes as a full round trip brings.
void run_round(AdaptiveLimit& limit) {
  const int calls = limit.limit();
  for (int i = 0; i < calls; ++i) limit.on_success(calls);
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
  for (int i = 0; i < 1000; ++i) limit.on_success(4);
  EXPECT_EQ(limit.limit(), 10);
  limit.on_success(5);
  EXPECT_EQ(limit.limit(), 11);
}

TEST(AdaptiveLimit, AnOverloadTakesFourTenthsAndThenItCreeps) {
  AdaptiveLimit limit({.start = 100, .most = 1000});
  limit.on_overload(kStart, kStart + seconds(1));
  EXPECT_EQ(limit.limit(), 60);
  run_round(limit);
  EXPECT_GE(limit.limit(), 62);
  EXPECT_LE(limit.limit(), 63);
}

TEST(AdaptiveLimit, ManyRefusalsOfOneCongestionCountOnce) {
  AdaptiveLimit limit({.start = 100, .most = 1000});
  for (int i = 0; i < 50; ++i) limit.on_overload(kStart, kStart + seconds(1) + milliseconds(i));
  EXPECT_EQ(limit.limit(), 60);
  limit.on_overload(kStart + seconds(2), kStart + seconds(3));
  EXPECT_EQ(limit.limit(), 36);
}

TEST(AdaptiveLimit, NeverFallsBelowOneAndRecovers) {
  AdaptiveLimit limit({.start = 16, .most = 1000});
  for (int i = 0; i < 100; ++i) limit.on_overload(kStart + seconds(i), kStart + seconds(i));
  EXPECT_EQ(limit.limit(), 1);
  for (int i = 0; i < 20; ++i) run_round(limit);
  EXPECT_GT(limit.limit(), 10);
}

TEST(AdaptiveLimit, AFixedLimitIsItsBoundForEver) {
  AdaptiveLimit limit({.start = 1, .most = 50, .adapt = false});
  EXPECT_EQ(limit.limit(), 50);
  limit.on_overload(kStart, kStart);
  EXPECT_EQ(limit.limit(), 50);
  limit.on_success(50);
  EXPECT_EQ(limit.limit(), 50);
}

TEST(AdaptiveLimit, OddOptionsStillLetOneThrough) {
  for (const bool adapt : {true, false})
    for (const int most : {0, -5, 1}) {
      AdaptiveLimit limit({.start = -3, .most = most, .adapt = adapt});
      EXPECT_EQ(limit.limit(), 1);
      limit.on_success(1);
      EXPECT_EQ(limit.limit(), 1);
    }
  EXPECT_EQ(AdaptiveLimit({.start = 16, .most = 5}).limit(), 5);
}

}  // namespace
}  // namespace personascope::sched
