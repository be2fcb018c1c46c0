// For tests: imitated servers with limits, and a machine that does other work too.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "sched/gate_bench.hpp"

namespace personascope::sched {

inline PaceHint retry_after(milliseconds wait) {
  PaceHint hint;
  hint.retry_after = wait;
  return hint;
}

inline LimiterOptions up_to(int most) {
  LimiterOptions options;
  options.limit.most = most;
  return options;
}

// Refuses the call that would be one too many at once.
inline GateBench::Server limit_in_flight(int most, Duration latency) {
  return [=](int in_service, std::int64_t, TimePoint) -> GateBench::Reply {
    if (in_service >= most) return {CallEnd::Refused, {}, retry_after(seconds(1))};
    return {CallEnd::Success, latency, {}};
  };
}

enum class Counting { Calls, Tokens };
// Answers take half to one and a half of the latency, or all of them the same time: then calls come
// back in bursts.
enum class Answers { Scattered, InBursts };

// A bucket that holds `burst` and is filled at a steady rate.
class RateServer {
 public:
  RateServer(double per_second, double burst, Duration latency, Counting counting,
             milliseconds wait = seconds(1), Answers answers = Answers::Scattered)
      : per_second_(per_second),
        burst_(burst),
        level_(burst),
        latency_(latency),
        counting_(counting),
        wait_(wait),
        answers_(answers) {}

  GateBench::Reply operator()(int, std::int64_t tokens, TimePoint now) {
    if (last_) {
      const double passed = std::chrono::duration<double>(now - *last_).count();
      level_ = std::min(burst_, level_ + passed * per_second_);
    }
    last_ = now;
    const double cost = counting_ == Counting::Tokens ? static_cast<double>(tokens) : 1;
    if (level_ < cost) return {CallEnd::Refused, {}, retry_after(wait_)};
    level_ -= cost;
    const double share = answers_ == Answers::Scattered ? 0.5 + random_.unit() : 1;
    return {CallEnd::Success, std::chrono::duration_cast<Duration>(latency_ * share), {}};
  }

 private:
  double per_second_, burst_, level_;
  Duration latency_;
  Counting counting_;
  milliseconds wait_;
  Answers answers_;
  std::optional<TimePoint> last_;
  Random random_{3};
};

// A machine on which the program runs for about `runs`, then stands still for about `stands`, for
// ten minutes: when it gets to see what happens at a time.
class BusyMachine {
 public:
  BusyMachine(milliseconds runs, milliseconds stands) {
    Random random(11);
    const auto about = [&](milliseconds time) {
      return std::chrono::duration_cast<Duration>(time * (0.2 + 1.6 * random.unit()));
    };
    for (TimePoint at = GateBench::kStart; at < GateBench::kStart + std::chrono::minutes(10);) {
      const TimePoint from = at + about(runs);
      at = from + about(stands);
      standing_.emplace_back(from, at);
    }
  }

  TimePoint operator()(TimePoint at) const {
    const auto next = std::ranges::upper_bound(
        standing_, at, {}, [](const std::pair<TimePoint, TimePoint>& one) { return one.second; });
    return next != standing_.end() && at >= next->first ? next->second : at;
  }

 private:
  std::vector<std::pair<TimePoint, TimePoint>> standing_;
};

}  // namespace personascope::sched
