#include "sched/stop.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <optional>

#include "sched/interrupts.hpp"

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

TEST(Stop, TheFirstInterruptAsksForOneAndTheWorkEnds) {
  Loop loop;
  Stop stop(loop);
  Interrupts interrupts(loop, stop);
  int whole = 0;
  int cut = 0;
  const auto work = [&]() -> Task<void> {
    co_await sleep_and_count(stop, std::chrono::hours(1), whole, cut);
    interrupts.release();
  };
  loop.spawn(work());
  loop.post([] { raise(SIGINT); });
  loop.run();
  EXPECT_EQ(cut, 1);
  EXPECT_EQ(stop.reason().kind, ErrorKind::Cancelled);
}

// A run that winds down for another reason may still be drained by the first Ctrl-C.
void interrupt_after_a_stop(int times, int signal = SIGTERM) {
  Loop loop;
  Stop stop(loop);
  Interrupts interrupts(loop, stop);
  stop.request(Error{ErrorKind::BudgetExhausted, "spent"});
  const auto work = [&]() -> Task<void> {
    for (int i = 0; i < times; ++i) {
      raise(signal);
      co_await sleep_for(milliseconds(50));
    }
    interrupts.release();
  };
  loop.spawn(work());
  loop.run();
  _exit(0);
}

TEST(StopDeathTest, OnlyTheSecondInterruptEndsTheProgramAtOnce) {
  EXPECT_EXIT(interrupt_after_a_stop(1), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(interrupt_after_a_stop(2), testing::ExitedWithCode(130), "");
}

TEST(StopDeathTest, ATerminalThatClosesDrainsHoweverOftenItSaysSo) {
  EXPECT_EXIT(interrupt_after_a_stop(3, SIGHUP), testing::ExitedWithCode(0), "");
}

TEST(StopDeathTest, WhatNohupIgnoresStaysIgnored) {
  const auto hang_up = [] {
    std::signal(SIGHUP, SIG_IGN);
    Loop loop;
    Stop stop(loop);
    Interrupts interrupts(loop, stop);
    const auto work = [&]() -> Task<void> {
      raise(SIGHUP);
      co_await sleep_for(milliseconds(20));
      interrupts.release();
    };
    loop.spawn(work());
    loop.run();
    _exit(stop.requested() ? 1 : 0);
  };
  EXPECT_EXIT(hang_up(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace personascope::sched
