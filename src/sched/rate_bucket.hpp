// A bucket that fills at a steady rate and may be overdrawn when a call cost more than thought.
// Pure: the caller brings the time.
#pragma once

#include <algorithm>
#include <optional>

#include "base/clock.hpp"

namespace personascope::sched {

class RateBucket {
 public:
  // Full at first; holds what comes in `burst_seconds`, and at least one.
  RateBucket(double per_second, double burst_seconds)
      : per_second_(per_second), burst_seconds_(burst_seconds), level_(burst()) {}

  // When `amount` can be taken; never later than when the bucket is full.
  TimePoint ready_at(double amount, TimePoint now);
  void take(double amount, TimePoint now);
  void set_rate(double per_second, TimePoint now);
  void make_empty(TimePoint now);

 private:
  double burst() const { return std::max(1.0, per_second_ * burst_seconds_); }
  void fill(TimePoint now);

  double per_second_;
  double burst_seconds_;
  double level_;
  std::optional<TimePoint> filled_at_;
};

}  // namespace personascope::sched
