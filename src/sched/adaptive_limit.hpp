// How many calls of a role may be in flight: grows while the server keeps up, and shrinks when it
// refuses calls. A pure state machine; docs/design/limiter.md has the reasons.
#pragma once

#include <optional>

#include "base/clock.hpp"

namespace personascope::sched {

struct LimitOptions {
  int start = 32;     // where slow start begins
  int most = 1000;    // never beyond
  bool adapt = true;  // false: `most` from the first call on, and for ever
};

class AdaptiveLimit {
 public:
  explicit AdaptiveLimit(const LimitOptions& options);

  // How many may be in flight now; at least 1.
  int limit() const { return static_cast<int>(limit_); }

  // A call sent at `sent_at` ended well; `in_flight` counts it. A limit that is not used does not
  // grow.
  void on_success(int in_flight, TimePoint sent_at, TimePoint now);
  // The server refused a call, and `left` others stay in flight: that many it takes. The limit
  // becomes a little less, and is then raised slowly in time.
  void cut(int left, TimePoint now);
  // It refused one more of the calls that were sent before the cut: it takes one less.
  void lower();
  // The last cut was for another reason than the number in flight: slow start goes on from there.
  void take_back_cut();
  // Nothing was answered for a while, so what the server takes is not known: slow start again.
  void restart() { is_slow_start_ = true; }

 private:
  void set_base(double base);

  LimitOptions options_;
  double limit_;
  bool is_slow_start_ = true;
  // Since the last cut:
  int taken_ = 0;       // what the server took
  double before_ = 0;   // the limit before it
  double base_ = 0;     // and after it
  double probing_ = 0;  // steps of growth since
  Duration step_{};     // of one of them; longer where earlier cuts ended at the same number
  std::optional<TimePoint> last_success_at_;
};

}  // namespace personascope::sched
