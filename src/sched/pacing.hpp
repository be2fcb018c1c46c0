// When the next call may be sent: pauses that a server asked for, and calls or tokens a minute that
// the user allows. Pure: the caller brings the time.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.hpp"
#include "sched/rate_bucket.hpp"

namespace personascope::sched {

// What a server's answer said about its limits.
struct PaceHint {
  std::optional<milliseconds> retry_after{};      // send nothing before
  std::optional<std::int64_t> remaining_calls{};  // left in the current window ...
  std::optional<milliseconds> calls_reset{};      // ... which ends then
  std::optional<std::int64_t> remaining_tokens{};
  std::optional<milliseconds> tokens_reset{};
};

// A rate that is not above 0 sets no limit.
struct PaceOptions {
  std::optional<double> calls_per_minute{};
  std::optional<double> tokens_per_minute{};
};

class Pacing {
 public:
  explicit Pacing(const PaceOptions& options);

  // When a call of about that many tokens may be sent: `now` or earlier if at once.
  TimePoint ready_at(std::int64_t tokens, TimePoint now);
  // A call of about that many tokens is sent.
  void on_sent(std::int64_t tokens, TimePoint now);
  // It came back; it really took `actual` tokens. Pauses if the hint says that nothing is left;
  // whether Retry-After pauses is the caller's decision.
  void on_answer(const PaceHint& hint, std::int64_t estimated, std::int64_t actual, TimePoint now);
  // Send nothing for so long; ten minutes at most.
  void pause(milliseconds wait, TimePoint now);
  // The end of the pause, if one is on.
  std::optional<TimePoint> paused_until(TimePoint now) const;

 private:
  std::optional<RateBucket> calls_;
  std::optional<RateBucket> tokens_;
  TimePoint paused_until_ = TimePoint::min();
};

}  // namespace personascope::sched
