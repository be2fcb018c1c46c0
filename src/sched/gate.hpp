// The rules of one account: whether a call may be sent now, and what is learned from how calls end.
// Joins the number in flight (one adaptive limit a role), the pace, and the circuit breaker. Pure:
// the caller brings the time. docs/design/limiter.md has the reasons.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sched/adaptive_limit.hpp"
#include "sched/breaker.hpp"
#include "sched/learned_pace.hpp"
#include "sched/pacing.hpp"

namespace personascope::sched {

struct LimiterOptions {
  LimitOptions limit;
  PaceOptions pace;
};

// How a call ended, as far as limits care.
enum class CallEnd {
  Success,      // an answer, be it a permanent error
  Refused,      // the server said "slow down"
  Unreachable,  // no connection
  Unavailable,  // the server says that it is down
  Other,        // it says nothing of the server
};

// What a failure comes from: a call that the account's limits or an outage kept from being answered
// has not used up a try.
enum class Blame { Call, Account };

class Gate {
 public:
  // Waiting for a call in flight, not for a time.
  static constexpr TimePoint kNoTime = TimePoint::max();

  // A call that was let through.
  struct Pass {
    std::string role;
    std::int64_t tokens = 0;
    std::uint64_t call = 0;    // the same for all tries of a call
    std::uint64_t number = 0;  // in the order of sending
    TimePoint sent_at{};
    int in_flight = 0;  // when it was sent, itself counted
    bool is_probe = false;
  };

  explicit Gate(const LimiterOptions& options);

  // Whether the role has a slot free.
  bool has_slot(const std::string& role);
  // When a call of a role with a free slot may be sent: `now` or earlier if at once.
  TimePoint ready_at(std::int64_t tokens, TimePoint now);
  Pass send(const std::string& role, std::int64_t tokens, std::uint64_t call, TimePoint now);
  // The call is over, but keeps its slot. `actual_tokens`: what it took, 0 if it gave no answer.
  Blame end(const Pass& pass, CallEnd how, const PaceHint& hint, std::int64_t actual_tokens,
            TimePoint now);
  // The slot is free.
  void release(const Pass& pass);

  // On the wire, over all roles.
  int in_flight() const;
  // How many may be in flight now, summed over the roles in use.
  int limit() const;
  bool adapts() const { return options_.limit.adapt; }
  const Breaker& breaker() const { return breaker_; }
  std::optional<TimePoint> paused_until(TimePoint now) const { return pacing_.paused_until(now); }
  bool is_pace_learned() const { return learned_.is_on(); }

 private:
  struct Role {
    explicit Role(const LimitOptions& options) : limit(options) {}
    AdaptiveLimit limit;
    int in_flight = 0;  // on the wire
    int slots = 0;      // and those whose answer is not committed yet
  };

  Role& role_of(const std::string& role);
  void on_refused(const Pass& pass, const PaceHint& hint, TimePoint now);
  void on_same_burst(const Pass& pass, TimePoint now);
  void pause(const PaceHint& hint, TimePoint now);

  LimiterOptions options_;
  Pacing pacing_;
  LearnedPace learned_;
  Breaker breaker_;
  std::map<std::string, Role> roles_;
  std::uint64_t sent_ = 0;
  // Of the last refusal that was news:
  std::uint64_t cut_number_ = 0;  // calls up to this one were sent before it
  TimePoint cut_at_{};
  int taken_ = 0;   // what the server had in flight when the episode of refusals began
  int proven_ = 0;  // the most in flight that it has ever taken
  bool is_cut_by_rate_ = false;
  bool has_success_since_ = false;
  // After a pause, one call at a time until one succeeds.
  bool is_proving_ = false;
  int probes_ = 0;
  int pauses_ = 0;  // in a row
};

}  // namespace personascope::sched
