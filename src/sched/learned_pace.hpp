// The rate that a server turns out to allow, where it refuses calls by the second or by tokens and
// not by how many are in flight. Pure: the caller brings the time.
#pragma once

#include <cstdint>
#include <optional>

#include "base/clock.hpp"
#include "sched/rate_bucket.hpp"

namespace personascope::sched {

// A server that limits a rate has nothing left at the moment of a refusal. So what it took between
// two refusals, divided by the time between them, is the rate that it allows.
class LearnedPace {
 public:
  // When a call of about that many tokens may be sent: `now` or earlier if at once.
  TimePoint ready_at(std::int64_t tokens, TimePoint now);
  void on_sent(std::int64_t tokens, TimePoint now);

  // A call was refused, for whatever reason: counting begins anew.
  void mark(std::int64_t tokens, TimePoint now);
  // A call was refused, and only a rate explains it: calls are paced from now on.
  void learn(std::int64_t tokens, TimePoint now);
  // Nothing is sent for a while, until `on_resume`: what was taken until the next refusal may be
  // less than allowed, and that nothing is refused says nothing.
  void on_pause(TimePoint now);
  void on_resume(TimePoint now);
  // One more of the calls that were sent before the last mark was refused: the server took less.
  void lower(std::int64_t tokens, TimePoint now);

  bool is_on() const { return rate_.has_value(); }
  // Calls a second now; 0 if it is not on.
  double calls_per_second(TimePoint now) const;

 private:
  struct Count {
    double calls = 0;
    double tokens = 0;
    Duration time{};
  };
  struct Rate {
    double calls;   // a second
    double tokens;  // a second
    RateBucket call_bucket;
    RateBucket token_bucket;
  };
  void count_refused(std::int64_t tokens);
  void start_counting(TimePoint now);
  double growth_at(TimePoint now) const;
  enum class Trust { Little, Full };
  void set_rate(const Count& taken, Trust trust, TimePoint now);
  void apply(TimePoint now);

  std::optional<Rate> rate_;
  TimePoint grows_from_{};  // the last refusal
  Duration period_{};       // of growth: about how long until the next refusal
  TimePoint held_until_ = TimePoint::min();
  Count since_mark_;
  bool has_pause_ = false;  // since the mark
  std::optional<TimePoint> paused_at_;
  std::optional<TimePoint> marked_at_;
  Count total_;
  std::optional<TimePoint> started_at_;
  Count learned_from_;  // what the rate rests on
};

}  // namespace personascope::sched
