// When the next call may be sent: pauses that a server asked for, and calls or tokens a minute.
// Pure: the caller brings the time.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.hpp"

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

// A bucket that fills at a steady rate and may be overdrawn when a call cost more than thought.
class TokenBucket {
 public:
  explicit TokenBucket(double per_minute) : per_minute_(per_minute), level_(burst()) {}
  // When `amount` can be taken; never later than when the bucket is full.
  TimePoint ready_at(double amount, TimePoint now);
  void take(double amount, TimePoint now);

 private:
  // A tenth of a minute's worth, and at least one: so that a start does not send a minute at once.
  double burst() const { return per_minute_ / 10 < 1 ? 1 : per_minute_ / 10; }
  void fill(TimePoint now);

  double per_minute_;
  double level_;
  std::optional<TimePoint> filled_at_;
};

class Pacing {
 public:
  explicit Pacing(const PaceOptions& options);

  // When a call of about that many tokens may be sent: `now` or earlier if at once.
  TimePoint ready_at(std::int64_t tokens, TimePoint now);
  // A call of about that many tokens is sent.
  void on_sent(std::int64_t tokens, TimePoint now);
  // It came back; it really took `actual` tokens. A pause lasts ten minutes at most.
  void on_answer(const PaceHint& hint, std::int64_t estimated, std::int64_t actual, TimePoint now);
  // The end of the pause that a server asked for, if one is on.
  std::optional<TimePoint> paused_until(TimePoint now) const;

 private:
  std::optional<TokenBucket> calls_;
  std::optional<TokenBucket> tokens_;
  TimePoint paused_until_ = TimePoint::min();
};

}  // namespace personascope::sched
