#include "sched/learned_pace.hpp"

#include <gtest/gtest.h>

namespace personascope::sched {
namespace {

const TimePoint kDawn{seconds(1000)};

// Sends `calls` of 100 tokens evenly over a second, the last of which is refused at its end.
void fill_second(LearnedPace& pace, TimePoint from, int calls) {
  for (int i = 0; i <= calls; ++i) pace.on_sent(100, from + i * Duration(seconds(1)) / calls);
}

LearnedPace make_learned(int per_second) {
  LearnedPace pace;
  fill_second(pace, kDawn, per_second);
  pace.mark(100, kDawn + seconds(1));
  fill_second(pace, kDawn + seconds(1), per_second);
  pace.learn(100, kDawn + seconds(2));
  return pace;
}

TEST(LearnedPace, IsOffUntilARateIsLearned) {
  LearnedPace pace;
  fill_second(pace, kDawn, 1000);
  pace.mark(100, kDawn + seconds(1));
  EXPECT_FALSE(pace.is_on());
  EXPECT_LE(pace.ready_at(100, kDawn + seconds(1)), kDawn + seconds(1));
}

TEST(LearnedPace, TheRateIsWhatWasTakenBetweenTwoRefusals) {
  const LearnedPace pace = make_learned(100);
  EXPECT_NEAR(pace.calls_per_second(kDawn + seconds(2)), 98, 1.5);
}

TEST(LearnedPace, WaitsAMomentForTheRefusedCallAndThenKeepsThePace) {
  LearnedPace pace = make_learned(100);
  TimePoint now = kDawn + seconds(2);
  EXPECT_GT(pace.ready_at(100, now), now + milliseconds(10));
  int sent = 0;
  for (const TimePoint end = now + seconds(1);;) {
    now = std::max(now, pace.ready_at(100, now));
    if (now >= end) break;
    pace.on_sent(100, now);
    ++sent;
  }
  EXPECT_NEAR(sent, 100, 5);
}

TEST(LearnedPace, LargeCallsTakeMoreOfIt) {
  LearnedPace pace = make_learned(100);
  const TimePoint now = kDawn + seconds(3);
  pace.on_sent(10'000, now);
  EXPECT_GT(pace.ready_at(100, now), now + milliseconds(500)) << "a second's worth of tokens";
}

TEST(LearnedPace, GrowsInTimeAndIsForgottenAtLast) {
  LearnedPace pace = make_learned(100);
  const TimePoint learned = kDawn + seconds(2);
  EXPECT_LT(pace.calls_per_second(learned + milliseconds(500)), 103);
  EXPECT_GT(pace.calls_per_second(learned + seconds(8)), 200);
  EXPECT_LE(pace.ready_at(100, learned + seconds(60)), learned + seconds(60));
  EXPECT_FALSE(pace.is_on());
}

TEST(LearnedPace, MoreRefusalsOfTheSameBurstLowerIt) {
  LearnedPace pace = make_learned(100);
  for (int i = 0; i < 20; ++i) pace.lower(100, kDawn + seconds(2));
  EXPECT_NEAR(pace.calls_per_second(kDawn + seconds(2)), 78, 2);
}

TEST(LearnedPace, AnEstimateOverAPauseGrowsQuickly) {
  LearnedPace pace;
  pace.on_sent(100, kDawn);
  pace.mark(100, kDawn);
  pace.on_pause(kDawn);
  pace.on_resume(kDawn + seconds(10));
  fill_second(pace, kDawn + seconds(10), 100);
  const TimePoint learned = kDawn + seconds(11);
  pace.learn(100, learned);
  EXPECT_NEAR(pace.calls_per_second(learned), 9, 1);
  EXPECT_GT(pace.calls_per_second(learned + seconds(1)), 25);
}

TEST(LearnedPace, HalvesWhenItIsRefusedAgainAtOnce) {
  LearnedPace pace = make_learned(100);
  const TimePoint now = kDawn + seconds(2) + milliseconds(20);
  pace.on_sent(100, now);
  pace.learn(100, now);
  EXPECT_NEAR(pace.calls_per_second(now), 49, 3);
}

TEST(LearnedPace, AFewCallsInALongTimeTeachNothing) {
  LearnedPace pace;
  pace.on_sent(100, kDawn);
  pace.on_sent(100, kDawn + seconds(60));
  pace.learn(100, kDawn + seconds(60));
  EXPECT_FALSE(pace.is_on()) << "nobody tried to send more";
}

}  // namespace
}  // namespace personascope::sched
