// The limits of perf/engine/limits.py in imitated time, on machines that are idle and busy, with
// answers that come back in bursts: what is left of a burst looks like a limit of calls at once.
#include "sched/gate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "sched/gate_servers.hpp"

namespace personascope::sched {
namespace {

struct Load {
  milliseconds runs, stands;
};
constexpr std::array kLoads{
    Load{milliseconds(1000), milliseconds(0)}, Load{milliseconds(50), milliseconds(20)},
    Load{milliseconds(50), milliseconds(50)}, Load{milliseconds(200), milliseconds(100)}};
constexpr std::array kWaits{milliseconds(10), milliseconds(1000)};

TEST(BusyGate, FindsTheRateOfCallsThatComeBackInBursts) {
  for (const double rate : {100.0, 500.0})
    for (const int latency_ms : {20, 500})
      for (const Load& load : kLoads)
        for (const milliseconds wait : kWaits) {
          GateBench bench(up_to(1000), RateServer(rate, rate, milliseconds(latency_ms),
                                                  Counting::Calls, wait, Answers::InBursts));
          bench.seen_at = BusyMachine(load.runs, load.stands);
          const int calls = static_cast<int>(rate * 20);
          bench.add(calls);
          bench.run();
          const std::string what = fmt::format("{} a second, {} ms, runs {} stands {}", rate,
                                               latency_ms, load.runs.count(), load.stands.count());
          EXPECT_EQ(bench.succeeded, calls) << what;
          EXPECT_LT(bench.seconds_passed(), 19 * 1.1) << what;
          EXPECT_LT(bench.refused, calls / 5) << what;
          EXPECT_EQ(bench.tries_used, 0) << what;
        }
}

TEST(BusyGate, FindsTheTokensOfCallsThatComeBackInBursts) {
  for (const auto& [latency_ms, burst_s] : {std::pair{20, 1.0}, std::pair{500, 6.0}})
    for (const Load& load : kLoads) {
      const double per_second = 2e6 / 60;
      GateBench bench(up_to(1000),
                      RateServer(per_second, burst_s * per_second, milliseconds(latency_ms),
                                 Counting::Tokens, seconds(1), Answers::InBursts));
      bench.seen_at = BusyMachine(load.runs, load.stands);
      Random sizes(1);
      double total = 0;
      for (int i = 0; i < 3000; ++i) {
        const auto tokens = static_cast<std::int64_t>(120 + 22 * sizes.below(20));
        total += static_cast<double>(tokens);
        bench.add(1, tokens);
      }
      bench.run();
      const std::string what = fmt::format("{} ms, {} s at once, runs {} stands {}", latency_ms,
                                           burst_s, load.runs.count(), load.stands.count());
      EXPECT_EQ(bench.succeeded, 3000) << what;
      EXPECT_LT(bench.seconds_passed(), (total / per_second - burst_s) * 1.1) << what;
      EXPECT_LT(bench.refused, 3000 / 5) << what;
    }
}

// A pace that was learned before a pause is still known after it, and all do not go at once.
TEST(BusyGate, APauseDoesNotForgetThePace) {
  GateBench bench(up_to(1000), RateServer(100, 600, milliseconds(500), Counting::Calls, seconds(5),
                                          Answers::InBursts));
  bench.seen_at = BusyMachine(milliseconds(200), milliseconds(100));
  bench.add(3000);
  bench.run();
  EXPECT_EQ(bench.succeeded, 3000);
  EXPECT_LT(bench.refused, 3000 * 3 / 10);
}

TEST(BusyGate, TakesWhatAServerTakesAtOnceForThat) {
  for (const Load& load : kLoads) {
    GateBench bench(up_to(1000), limit_in_flight(50, milliseconds(200)));
    bench.seen_at = BusyMachine(load.runs, load.stands);
    bench.add(5000);
    bench.run();
    EXPECT_EQ(bench.succeeded, 5000);
    EXPECT_FALSE(bench.gate.is_pace_learned());
    EXPECT_LT(bench.refused, 50) << load.stands.count();
    // A call waits at both ends of its time until the program runs.
    EXPECT_LT(bench.seconds_passed(), 20 * 1.15) << load.stands.count();
  }
}

}  // namespace
}  // namespace personascope::sched
