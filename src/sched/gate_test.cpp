#include "sched/gate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "base/random.hpp"
#include "sched/gate_bench.hpp"

namespace personascope::sched {
namespace {

using Reply = GateBench::Reply;

PaceHint retry_after(milliseconds wait) {
  PaceHint hint;
  hint.retry_after = wait;
  return hint;
}

LimiterOptions up_to(int most) {
  LimiterOptions options;
  options.limit.most = most;
  return options;
}

// Refuses the call that would be one too many at once.
GateBench::Server limit_in_flight(int most, Duration latency) {
  return [=](int in_service, std::int64_t, TimePoint) -> Reply {
    if (in_service >= most) return {CallEnd::Refused, {}, retry_after(seconds(1))};
    return {CallEnd::Success, latency, {}};
  };
}

// A bucket of `per_second`, filled at that rate; a call takes its `cost`.
class RateServer {
 public:
  RateServer(double per_second, double burst, Duration latency, bool by_tokens,
             milliseconds wait = seconds(1))
      : per_second_(per_second),
        burst_(burst),
        level_(burst),
        latency_(latency),
        by_tokens_(by_tokens),
        wait_(wait) {}

  Reply operator()(int, std::int64_t tokens, TimePoint now) {
    if (last_) {
      const double passed = std::chrono::duration<double>(now - *last_).count();
      level_ = std::min(burst_, level_ + passed * per_second_);
    }
    last_ = now;
    const double cost = by_tokens_ ? static_cast<double>(tokens) : 1;
    if (level_ < cost) return {CallEnd::Refused, {}, retry_after(wait_)};
    level_ -= cost;
    return {CallEnd::Success, std::chrono::duration_cast<Duration>(latency_ * (0.5 + random_.unit())), {}};
  }

 private:
  double per_second_, burst_, level_;
  Duration latency_;
  bool by_tokens_;
  milliseconds wait_;
  std::optional<TimePoint> last_;
  Random random_{3};
};

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
        if (rate * latency_ms > 500'000) continue;  // more than a thousand at once
        GateBench bench(up_to(1000), RateServer(rate, rate, milliseconds(latency_ms), false,
                                                milliseconds(wait_ms)));
        const int calls = static_cast<int>(rate * 40);
        bench.add(calls);
        bench.run();
        const std::string what =
            fmt::format("{} a second, {} ms, Retry-After {}", rate, latency_ms, wait_ms);
        std::printf("%s: %.2f s refused %d of %d\n", what.c_str(), bench.seconds_passed(),
                    bench.refused, calls);
        EXPECT_EQ(bench.succeeded, calls) << what;
        EXPECT_LT(bench.seconds_passed(), 39 * 1.1 + 2 + 5 * latency_ms / 1000.0) << what;
      }
}

TEST(Gate, FindsTheTokensThatAServerAllows) {
  for (const double burst_s : {1.0, 6.0, 60.0})
    for (const int latency_ms : {20, 500})
      for (const int wait_ms : {0, 1000}) {
        const double per_second = 10'000;
        GateBench bench(up_to(1000), RateServer(per_second, burst_s * per_second,
                                                milliseconds(latency_ms), true,
                                                milliseconds(wait_ms)));
        Random sizes(7);
        double total = 0;
        for (int i = 0; i < 6000; ++i) {
          const auto tokens = static_cast<std::int64_t>(20 + sizes.below(400));
          total += static_cast<double>(tokens);
          bench.add(1, tokens);
        }
        bench.run();
        const double ideal = total / per_second - burst_s;
        const std::string what = fmt::format("burst {} s, {} ms, Retry-After {}", burst_s,
                                             latency_ms, wait_ms);
        std::printf("%s: %.2f of %.2f s refused %d\n", what.c_str(), bench.seconds_passed(), ideal,
                    bench.refused);
        EXPECT_LT(bench.seconds_passed(), ideal * 1.1 + 1) << what;
      }
}

}  // namespace
}  // namespace personascope::sched
