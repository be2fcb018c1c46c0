// How many calls may be in flight: grows while the server keeps up, shrinks when it says "slow
// down". A pure state machine; docs/design/limiter.md has the reasons.
#pragma once

#include "base/clock.hpp"

namespace personascope::sched {

struct LimitOptions {
  int start = 16;     // where slow start begins
  int most = 1000;    // never beyond
  bool adapt = true;  // false: `most` from the first call on, and for ever
};

class AdaptiveLimit {
 public:
  explicit AdaptiveLimit(const LimitOptions& options);

  // How many may be in flight now; at least 1.
  int limit() const { return static_cast<int>(limit_); }

  // A call ended well; `in_flight` counts it. A limit that is not used does not grow.
  void on_success(int in_flight);
  // The server refused a call that was sent at `sent_at` for being one too many. Calls sent before
  // the last decrease do not count again: they are the same congestion.
  void on_overload(TimePoint sent_at, TimePoint now);

 private:
  LimitOptions options_;
  double limit_;
  double slow_start_until_;  // below it the limit doubles every round trip, above it creeps
  TimePoint decreased_at_ = TimePoint::min();
};

}  // namespace personascope::sched
