// The limiter of one account: calls queue here until the account's rules (sched/gate.hpp) let them
// be sent.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "base/result.hpp"
#include "base/task.hpp"
#include "sched/gate.hpp"
#include "sched/signal.hpp"
#include "sched/stop.hpp"

namespace personascope::sched {

// Who asks for a slot.
struct Turn {
  std::string role;
  std::int64_t tokens = 0;              // that the call will take, about
  std::uint64_t call = 0;               // the same for all tries of a call
  bool first = false;                   // it was sent before and came back: to the head
  std::optional<TimePoint> deadline{};  // after that it is no longer wanted
};

// Used on the loop's thread only.
class Limiter {
 public:
  Limiter(Loop& loop, Stop& stop, const LimiterOptions& options);

  // A slot in which one call may be sent; given back by the destructor.
  class Permit {
   public:
    Permit(Limiter& limiter, Gate::Pass pass);
    Permit(Permit&& other) noexcept;
    Permit& operator=(Permit&&) = delete;
    ~Permit();
    // How the call went; once. The next call may be sent, but the slot still counts as one of
    // those that `LimitOptions::most` allows. `actual_tokens`: what it really took, 0 if it gave no
    // answer.
    Blame report(CallEnd end, const PaceHint& hint, std::int64_t actual_tokens);

   private:
    Limiter* limiter_;
    Gate::Pass pass_;
    bool is_reported_ = false;
    Blame blame_ = Blame::Call;
  };

  // Waits for a slot, first come first served within a role; roles take turns. Fails as Cancelled
  // on a stop, as Timeout at the deadline.
  Task<Result<Permit>> acquire(Turn turn);

  int in_flight() const { return gate_.in_flight(); }
  // How many may be in flight now, summed over the roles in use.
  int limit() const { return gate_.limit(); }
  const Gate& gate() const { return gate_; }
  // What the oldest waiter waits for, e.g. "rate limit, 12 s"; empty if nobody waits or it is only
  // for a free slot.
  std::string describe_wait() const;

 private:
  struct Waiter {
    Waiter(Loop& loop, const Turn& wanted) : granted(loop), turn(wanted) {}
    Signal granted;
    const Turn& turn;
    std::optional<Gate::Pass> pass{};  // unless it was turned away
  };
  struct RoleQueue {
    std::deque<Waiter*> returned;  // go first
    std::deque<Waiter*> waiters;
    std::uint64_t last_turn = 0;

    bool empty() const { return returned.empty() && waiters.empty(); }
    std::deque<Waiter*>& next() { return returned.empty() ? waiters : returned; }
  };

  // Lets in whoever may go now, and sets the timer for the next one who only waits for time.
  void admit();
  // The same, after whoever gave the slot back could queue again: such a call goes first.
  void admit_soon();
  void turn_away_all();
  void forget(const Waiter& waiter);
  // The role with a waiter and a free slot whose last turn is longest ago: pacing is the account's,
  // so the roles share it in turns. Null if there is none.
  std::pair<const std::string, RoleQueue>* find_next_queue();

  Loop& loop_;
  Stop& stop_;
  Gate gate_;
  std::map<std::string, RoleQueue> roles_;
  std::uint64_t turns_ = 0;
  boost::asio::steady_timer timer_;
  Stop::Subscription on_stop_;
};

}  // namespace personascope::sched
