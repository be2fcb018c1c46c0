// The limiter of one account: who may send a call now. It joins the number in flight (one adaptive
// limit a role, so that a judge never waits behind the model it judges) with the account's pacing.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "base/result.hpp"
#include "base/task.hpp"
#include "sched/adaptive_limit.hpp"
#include "sched/pacing.hpp"
#include "sched/signal.hpp"
#include "sched/stop.hpp"

namespace personascope::sched {

struct LimiterOptions {
  LimitOptions limit;
  PaceOptions pace;
};

// How a call ended, as far as limits care.
enum class CallEnd { Success, Overload, Other };

// Used on the loop's thread only.
class Limiter {
 public:
  Limiter(Loop& loop, Stop& stop, const LimiterOptions& options);

  // A slot in which one call may be sent; given back by the destructor.
  class Permit {
   public:
    Permit(Limiter& limiter, std::string role, std::int64_t tokens);
    Permit(Permit&& other) noexcept;
    Permit& operator=(Permit&&) = delete;
    ~Permit();
    // How the call went; once. `actual_tokens`: what it really took, 0 if it gave no answer.
    void report(CallEnd end, const PaceHint& hint, std::int64_t actual_tokens);

   private:
    Limiter* limiter_;
    std::string role_;
    std::int64_t tokens_;
    TimePoint sent_at_;
  };

  // Waits for a slot, first come first served within a role; roles take turns. Fails as Cancelled
  // on a stop.
  Task<Result<Permit>> acquire(std::string role, std::int64_t tokens);

  int in_flight() const;
  // How many may be in flight now, summed over the roles in use.
  int limit() const;
  // What the oldest waiter waits for, e.g. "rate limit, 12 s"; empty if nobody waits or it is only
  // for a free slot.
  std::string describe_wait() const;

 private:
  struct Waiter {
    Waiter(Loop& loop, std::int64_t token_count) : granted(loop), tokens(token_count) {}
    Signal granted;
    std::int64_t tokens;
  };
  struct RoleQueue {
    explicit RoleQueue(const LimitOptions& options) : limit(options) {}
    AdaptiveLimit limit;
    int in_flight = 0;
    std::deque<Waiter*> waiters;
    std::uint64_t last_turn = 0;
  };

  RoleQueue& queue_of(const std::string& role);
  // Lets in whoever may go now, and sets the timer for the next one who only waits for time.
  void admit();
  void turn_away_all();
  // The role with a waiter and a free slot whose last turn is longest ago: pacing is the account's,
  // so the roles share it in turns. Null if there is none.
  RoleQueue* find_next_queue();
  void release(const std::string& role);

  Loop& loop_;
  Stop& stop_;
  LimiterOptions options_;
  Pacing pacing_;
  std::map<std::string, RoleQueue> roles_;
  std::uint64_t turns_ = 0;
  boost::asio::steady_timer timer_;
  Stop::Subscription on_stop_;
};

}  // namespace personascope::sched
