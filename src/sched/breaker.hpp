// A circuit breaker: while a server is down, one call every two seconds finds out when it is back,
// and all others wait. A pure state machine.
#pragma once

#include <cstdint>
#include <set>

#include "base/clock.hpp"

namespace personascope::sched {

enum class Fault {
  NoConnection,  // name, connection or certificate
  Unavailable,   // the server says that it is down
};

class Breaker {
 public:
  static constexpr seconds kProbeEvery{2};

  // The server answered a call sent at `sent_at`.
  void on_answer(TimePoint sent_at, TimePoint now);
  // It did not answer the call with that number. Returns whether the server is down: then that is
  // no fault of the call.
  bool on_fault(Fault fault, std::uint64_t call, TimePoint sent_at, TimePoint now);
  // A call is sent while the breaker is open.
  void on_probe(TimePoint now) { next_probe_ = now + kProbeEvery; }

  bool is_open() const { return is_open_; }
  // When the next call may be sent, while it is open.
  TimePoint next_probe() const { return next_probe_; }
  // Whether the server has ever answered.
  bool has_answered() const { return has_answered_; }

 private:
  bool is_open_ = false;
  bool has_answered_ = false;
  TimePoint opened_at_{};
  TimePoint answered_at_{};
  TimePoint next_probe_{};
  std::set<std::uint64_t> unanswered_;  // calls, since the last answer
};

}  // namespace personascope::sched
