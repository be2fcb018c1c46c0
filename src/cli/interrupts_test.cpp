#include "cli/interrupts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <thread>

namespace personascope::cli {
namespace {

using std::chrono::milliseconds;

TEST(Interrupts, TheFirstAsksForAStopOnceAndOnAnotherThread) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::promise<std::thread::id> stopped;
    const Interrupts interrupts([&] { stopped.set_value(std::this_thread::get_id()); });
    std::raise(signal);
    EXPECT_NE(stopped.get_future().get(), std::this_thread::get_id()) << signal;
  }
}

TEST(Interrupts, GiveTheSignalsBack) {
  struct sigaction before{};
  sigaction(SIGINT, nullptr, &before);
  {
    const Interrupts interrupts([] {});
  }
  struct sigaction after{};
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

// Ends with 7 if the program goes on.
[[noreturn]] void interrupt(int times, int signal) {
  std::atomic<int> stops = 0;
  {
    const Interrupts interrupts([&] { ++stops; });
    for (int i = 0; i < times; ++i) {
      std::raise(signal);
      std::this_thread::sleep_for(milliseconds(50));
    }
  }
  ::_exit(stops == 1 ? 7 : 8);
}

TEST(InterruptsDeathTest, OnlyTheSecondEndsTheProgramAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(interrupt(1, SIGTERM), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(interrupt(2, SIGTERM), testing::ExitedWithCode(130), "");
  EXPECT_EXIT(interrupt(2, SIGINT), testing::ExitedWithCode(130), "");
}

TEST(InterruptsDeathTest, ATerminalThatClosesDrainsHoweverOftenItSaysSo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(interrupt(3, SIGHUP), testing::ExitedWithCode(7), "");
}

TEST(InterruptsDeathTest, WhatNohupIgnoresStaysIgnored) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto hang_up = [] {
    std::signal(SIGHUP, SIG_IGN);
    std::atomic<bool> stopped = false;
    {
      const Interrupts interrupts([&] { stopped = true; });
      std::raise(SIGHUP);
      std::this_thread::sleep_for(milliseconds(20));
    }
    ::_exit(stopped ? 1 : 7);
  };
  EXPECT_EXIT(hang_up(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace personascope::cli
