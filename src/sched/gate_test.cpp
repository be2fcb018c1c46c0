#include "sched/gate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "base/random.hpp"
#include "sched/gate_bench.hpp"
#include "sched/gate_servers.hpp"

namespace personascope::sched {
namespace {

using Reply = GateBench::Reply;

TEST(Gate, FindsTheNumberThatAServerTakesAtOnce) {
  for (const milliseconds latency : {milliseconds(20), milliseconds(200)})
    for (const int most : {200, 1000}) {
      GateBench bench(up_to(most), limit_in_flight(50, latency));
      bench.add(5000);
      bench.run();
      const double ideal = 5000.0 / 50 * std::chrono::duration<double>(latency).count();
      EXPECT_EQ(bench.succeeded, 5000);
      EXPECT_LT(bench.seconds_passed(), ideal * (latency < milliseconds(100) ? 1.2 : 1.12));
      EXPECT_LT(bench.refused, 50);
      EXPECT_EQ(bench.tries_used, 0) << "a refusal is no try";
    }
}

TEST(Gate, FindsTheRateThatAServerAllows) {
  for (const double rate : {2.0, 100.0, 500.0})
    for (const int latency_ms : {1, 20, 500, 3000})
      for (const int wait_ms : {0, 10, 1000}) {
        // More than a thousand at once, or so few that they look like a limit at once.
        if (latency_ms == 3000 && rate != 100) continue;
        GateBench bench(up_to(1000), RateServer(rate, rate, milliseconds(latency_ms),
                                                Counting::Calls, milliseconds(wait_ms)));
        const int calls = static_cast<int>(rate * 40);
        bench.add(calls);
        bench.run();
        const std::string what =
            fmt::format("{} a second, {} ms, Retry-After {}", rate, latency_ms, wait_ms);
        EXPECT_EQ(bench.succeeded, calls) << what;
        EXPECT_LT(bench.seconds_passed(), 39 * 1.05 + 6 + 4 * latency_ms / 1000.0) << what;
        EXPECT_LT(bench.refused, 56 + calls / 20) << what;
      }
}

TEST(Gate, FindsTheTokensThatAServerAllows) {
  for (const double burst_s : {1.0, 6.0, 60.0})
    for (const int latency_ms : {20, 500})
      for (const int wait_ms : {0, 1000}) {
        const double per_second = 10'000;
        GateBench bench(up_to(1000),
                        RateServer(per_second, burst_s * per_second, milliseconds(latency_ms),
                                   Counting::Tokens, milliseconds(wait_ms)));
        Random sizes(7);
        double total = 0;
        for (int i = 0; i < 6000; ++i) {
          const auto tokens = static_cast<std::int64_t>(20 + sizes.below(400));
          total += static_cast<double>(tokens);
          bench.add(1, tokens);
        }
        bench.run();
        const double ideal = total / per_second - burst_s;
        const std::string what =
            fmt::format("burst {} s, {} ms, Retry-After {}", burst_s, latency_ms, wait_ms);
        EXPECT_EQ(bench.succeeded, 6000) << what;
        EXPECT_LT(bench.seconds_passed(), ideal * 1.05) << what;
      }
}

TEST(Gate, ARateBelowWhatIsAllowedIsNeverRefused) {
  for (const double rate : {10.0, 100.0, 500.0}) {
    LimiterOptions options = up_to(1000);
    options.pace.calls_per_minute = rate * 60 * 0.9;
    GateBench bench(options, RateServer(rate, rate, milliseconds(20), Counting::Calls));
    bench.add(static_cast<int>(rate * 20));
    bench.run();
    EXPECT_EQ(bench.refused, 0) << rate;
    EXPECT_LT(bench.seconds_passed(), 20 / 0.9 + 1) << rate;
  }
}

// One call at a time through a gate, as a test tells.
struct Hand {
  Gate::Pass send() {
    EXPECT_TRUE(gate.has_slot("model"));
    return gate.send("model", 10, ++calls, now);
  }
  Blame end(const Gate::Pass& pass, CallEnd how, milliseconds wait = milliseconds(0)) {
    const Blame blame = gate.end(pass, how, retry_after(wait), 10, now);
    gate.release(pass);
    return blame;
  }
  TimePoint ready() { return gate.ready_at(10, now); }
  Gate gate{LimiterOptions{}};
  TimePoint now{seconds(500)};
  std::uint64_t calls = 0;
};

TEST(Gate, ARefusalAfterASuccessLowersTheLimitAndPausesNobody) {
  Hand hand;
  std::vector<Gate::Pass> passes;
  for (int i = 0; i < 16; ++i) passes.push_back(hand.send());
  hand.end(passes[0], CallEnd::Success);
  EXPECT_EQ(hand.end(passes[1], CallEnd::Refused, seconds(60)), Blame::Account);
  EXPECT_EQ(hand.gate.limit(), 14);
  EXPECT_EQ(hand.end(passes[2], CallEnd::Refused, seconds(60)), Blame::Account);
  EXPECT_EQ(hand.gate.limit(), 13) << "the same burst";
  EXPECT_FALSE(hand.gate.paused_until(hand.now));
}

TEST(Gate, OnlyARefusalOfACallSentAfterTheCutWithNoSuccessSincePauses) {
  Hand hand;
  std::vector<Gate::Pass> passes;
  for (int i = 0; i < 16; ++i) passes.push_back(hand.send());
  hand.end(passes[0], CallEnd::Refused, seconds(30));
  EXPECT_FALSE(hand.gate.paused_until(hand.now)) << "the others may be answered";
  for (int i = 1; i < 6; ++i) hand.end(passes[static_cast<std::size_t>(i)], CallEnd::Success);
  hand.end(hand.send(), CallEnd::Refused, seconds(30));
  EXPECT_FALSE(hand.gate.paused_until(hand.now)) << "five were answered since";
  hand.now += milliseconds(100);
  hand.end(hand.send(), CallEnd::Refused, seconds(30));
  EXPECT_EQ(hand.gate.paused_until(hand.now), hand.now + seconds(30));
}

TEST(Gate, ARefusalWithNothingElseInFlightPauses) {
  Hand hand;
  hand.end(hand.send(), CallEnd::Refused, seconds(7));
  EXPECT_EQ(hand.ready(), hand.now + seconds(7));
}

TEST(Gate, APauseThatTheServerDoesNotNameDoublesUntilASuccess) {
  Hand hand;
  Duration last{};
  for (int i = 0; i < 5; ++i) {
    hand.end(hand.send(), CallEnd::Refused);
    const Duration wait = hand.ready() - hand.now;
    EXPECT_GE(wait, 2 * last);
    EXPECT_GE(wait, milliseconds(250));
    last = wait;
    hand.now += wait;
  }
  hand.end(hand.send(), CallEnd::Success);
  hand.end(hand.send(), CallEnd::Refused);
  hand.now += seconds(30);
  hand.end(hand.send(), CallEnd::Refused);
  EXPECT_LE(hand.ready() - hand.now, seconds(1));
}

TEST(Gate, AfterAPauseOneCallAtATimeFindsOutWhetherItIsOver) {
  Hand hand;
  hand.end(hand.send(), CallEnd::Refused, seconds(1));
  hand.now += seconds(1);
  EXPECT_EQ(hand.ready(), hand.now);
  const Gate::Pass probe = hand.send();
  EXPECT_EQ(hand.ready(), Gate::kNoTime);
  hand.end(probe, CallEnd::Success);
  EXPECT_EQ(hand.ready(), hand.now);
  hand.send();
  EXPECT_EQ(hand.ready(), hand.now);
}

TEST(Gate, WhileTheServerIsDownOneCallEveryTwoSecondsFindsOutWhenItIsBack) {
  TimePoint back{};
  GateBench bench(up_to(1000), [&](int in_service, std::int64_t, TimePoint now) -> Reply {
    const Duration since = now - GateBench::kStart;
    if (since >= seconds(3) && since < seconds(603)) return {CallEnd::Unreachable, {}, {}};
    if (in_service >= 50) return {CallEnd::Refused, {}, retry_after(seconds(1))};
    return {CallEnd::Success, milliseconds(200), {}};
  });
  bench.add(3000);
  int answered_within_3_s = 0;
  bench.on_end = [&](CallEnd end, TimePoint now) {
    const Duration since = now - GateBench::kStart;
    if (end == CallEnd::Success && since > seconds(606) && since < seconds(607))
      ++answered_within_3_s;
  };
  bench.run();
  EXPECT_EQ(bench.succeeded, 3000);
  EXPECT_GT(answered_within_3_s, 225) << "the full rate is 250 a second";
  EXPECT_LT(bench.failed, 300 + 60) << "one every two seconds, and what was in flight";
  EXPECT_LE(bench.tries_used, 50);
}

TEST(Gate, AServerThatSaysToEveryCallThatItIsDownIsDown) {
  GateBench bench(up_to(1000), [&](int, std::int64_t, TimePoint now) -> Reply {
    const Duration since = now - GateBench::kStart;
    if (since >= seconds(1) && since < seconds(21)) return {CallEnd::Unavailable, {}, {}};
    return {CallEnd::Success, milliseconds(200), {}};
  });
  bench.add(3000);
  bench.run();
  EXPECT_EQ(bench.succeeded, 3000);
  EXPECT_LT(bench.failed, 1100);
  EXPECT_LT(bench.seconds_passed(), 27);
}

TEST(Gate, ErrorsOfSomeCallsAreNoOutageAndCostNoMoreThanTheirTime) {
  for (const int latency_ms : {20, 200}) {
    Random faults(5);
    GateBench bench(up_to(200), [&](int in_service, std::int64_t, TimePoint) -> Reply {
      if (in_service >= 50) return {CallEnd::Refused, {}, retry_after(seconds(1))};
      const double drawn = faults.unit();
      if (drawn < 0.1) return {CallEnd::Other, {}, {}};
      return {drawn < 0.15 ? CallEnd::Other : CallEnd::Success, milliseconds(latency_ms), {}};
    });
    bench.add(5000);
    bench.run();
    EXPECT_EQ(bench.succeeded, 5000);
    EXPECT_EQ(bench.tries_used, bench.failed);
    EXPECT_LT(bench.seconds_passed(), 5000 * latency_ms / 50e3 * (latency_ms < 100 ? 1.2 : 1.12));
    EXPECT_LT(bench.refused, 58);
  }
}

}  // namespace
}  // namespace personascope::sched
