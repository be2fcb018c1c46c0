#include "sched/pacing.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace personascope::sched {
namespace {

const TimePoint kBegin{seconds(1000)};

double seconds_until(TimePoint ready, TimePoint now) {
  return std::chrono::duration<double>(ready - now).count();
}

// Sends calls as soon as they may go until `end` and returns how many went.
int send_until(Pacing& pacing, std::int64_t tokens, TimePoint now, TimePoint end) {
  for (int sent = 0;; ++sent) {
    now = pacing.ready_at(tokens, now);
    if (now >= end) return sent;
    pacing.on_sent(tokens, now);
  }
}

TEST(Pacing, WithoutLimitsEverybodyMayGoAtOnce) {
  Pacing pacing({});
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LE(pacing.ready_at(1'000'000, kBegin), kBegin);
    pacing.on_sent(1'000'000, kBegin);
  }
}

TEST(Pacing, CallsComeInAShortBurstAndThenSteadily) {
  Pacing pacing({.calls_per_minute = 6000, .tokens_per_minute = {}});
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(pacing.ready_at(1, kBegin), kBegin);
    pacing.on_sent(1, kBegin);
  }
  EXPECT_NEAR(seconds_until(pacing.ready_at(1, kBegin), kBegin), 0.01, 1e-6);
  EXPECT_LE(pacing.ready_at(1, kBegin + milliseconds(11)), kBegin + milliseconds(11));
}

TEST(Pacing, AMinuteNeverBringsMoreThanTheRateAndItsBurst) {
  for (const double rate : {0.5, 1.0, 7.0, 60.0, 1000.0, 30'000.0}) {
    Pacing pacing({.calls_per_minute = rate, .tokens_per_minute = {}});
    const int sent = send_until(pacing, 1, kBegin, kBegin + seconds(600));
    EXPECT_LE(sent, rate * 10 + std::max(1.0, rate / 600) + 1) << rate;
    EXPECT_GE(sent, rate * 10 - 1) << rate;
  }
}

TEST(Pacing, TokensAreCountedToo) {
  Pacing pacing({.calls_per_minute = {}, .tokens_per_minute = 6000});
  const int sent = send_until(pacing, 100, kBegin, kBegin + seconds(60));
  EXPECT_GE(sent, 60);
  EXPECT_LE(sent, 67);
}

TEST(Pacing, ACallLargerThanTheBucketGoesWhenItIsFullAndIsPaidAfterwards) {
  Pacing pacing({.calls_per_minute = {}, .tokens_per_minute = 600});
  EXPECT_EQ(pacing.ready_at(6000, kBegin), kBegin);
  pacing.on_sent(6000, kBegin);
  EXPECT_NEAR(seconds_until(pacing.ready_at(1, kBegin), kBegin), 594.1, 0.01);
}

TEST(Pacing, TheDifferenceToTheEstimateIsGivenBackOrTaken) {
  Pacing pacing({.calls_per_minute = {}, .tokens_per_minute = 600});
  pacing.on_sent(60, kBegin);
  EXPECT_GT(pacing.ready_at(60, kBegin), kBegin);
  pacing.on_answer({}, 60, 0, kBegin);
  EXPECT_EQ(pacing.ready_at(60, kBegin), kBegin);
  pacing.on_sent(60, kBegin);
  pacing.on_answer({}, 60, 120, kBegin);
  EXPECT_NEAR(seconds_until(pacing.ready_at(60, kBegin), kBegin), 12, 1e-6);
}

TEST(Pacing, WhatIsGivenBackNeverMakesMoreThanABurst) {
  Pacing pacing({.calls_per_minute = {}, .tokens_per_minute = 600});
  pacing.on_answer({}, 1'000'000, 0, kBegin);
  pacing.on_sent(60, kBegin);
  EXPECT_GT(pacing.ready_at(60, kBegin), kBegin);
}

TEST(Pacing, OfTwoPausesTheLongerStaysAndRetryAfterIsTheCallersDecision) {
  Pacing pacing({});
  EXPECT_FALSE(pacing.paused_until(kBegin));
  pacing.on_answer({.retry_after = seconds(99)}, 0, 0, kBegin);
  EXPECT_FALSE(pacing.paused_until(kBegin));
  pacing.pause(seconds(10), kBegin);
  pacing.pause(seconds(2), kBegin);
  EXPECT_EQ(pacing.ready_at(1, kBegin), kBegin + seconds(10));
  EXPECT_EQ(pacing.paused_until(kBegin), kBegin + seconds(10));
  EXPECT_LE(pacing.ready_at(1, kBegin + seconds(10)), kBegin + seconds(10));
  EXPECT_FALSE(pacing.paused_until(kBegin + seconds(10)));
}

TEST(Pacing, NothingLeftPausesUntilTheWindowEnds) {
  Pacing calls({});
  calls.on_answer({.remaining_calls = 0, .calls_reset = seconds(3)}, 0, 0, kBegin);
  EXPECT_EQ(calls.ready_at(1, kBegin), kBegin + seconds(3));
  Pacing tokens({});
  tokens.on_answer({.remaining_tokens = -1, .tokens_reset = seconds(4)}, 0, 0, kBegin);
  EXPECT_EQ(tokens.ready_at(1, kBegin), kBegin + seconds(4));
  Pacing plenty({});
  plenty.on_answer({.remaining_calls = 1,
                    .calls_reset = seconds(3),
                    .remaining_tokens = 5,
                    .tokens_reset = seconds(4)},
                   0, 0, kBegin);
  plenty.on_answer({.calls_reset = seconds(3), .tokens_reset = seconds(4)}, 0, 0, kBegin);
  EXPECT_EQ(plenty.ready_at(1, kBegin), kBegin);
}

TEST(Pacing, AServerThatAsksForDaysGetsTenMinutes) {
  Pacing pacing({});
  pacing.pause(std::chrono::hours(168), kBegin);
  EXPECT_EQ(pacing.ready_at(1, kBegin), kBegin + std::chrono::minutes(10));
}

TEST(Pacing, RatesThatAreNoneSetNoLimitAndTinyOnesDoNotOverflow) {
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()}) {
    Pacing pacing({.calls_per_minute = rate, .tokens_per_minute = rate});
    for (int i = 0; i < 100; ++i) pacing.on_sent(100, kBegin);
    EXPECT_EQ(pacing.ready_at(100, kBegin), kBegin) << rate;
  }
  Pacing pacing({.calls_per_minute = 1e-300, .tokens_per_minute = {}});
  pacing.on_sent(1, kBegin);
  EXPECT_GT(pacing.ready_at(1, kBegin), kBegin + std::chrono::hours(1));
}

TEST(Pacing, AClockThatStepsBackDoesNoHarm) {
  Pacing pacing({.calls_per_minute = 60, .tokens_per_minute = {}});
  for (int i = 0; i < 6; ++i) pacing.on_sent(1, kBegin);
  EXPECT_GT(pacing.ready_at(1, kBegin - seconds(100)), kBegin - seconds(100));
}

}  // namespace
}  // namespace personascope::sched
