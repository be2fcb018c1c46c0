// The run's limits of money, calls and tokens. What a call may cost is reserved before it is sent,
// so that many calls in flight cannot overspend together.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "base/result.hpp"
#include "base/task.hpp"
#include "llm/estimate.hpp"
#include "llm/prices.hpp"
#include "sched/loop.hpp"
#include "sched/signal.hpp"
#include "sched/stop.hpp"

namespace personascope::llm {

struct BudgetLimits {
  std::optional<double> cost_usd;
  std::optional<std::int64_t> calls;
  std::optional<std::int64_t> tokens;
};

struct Spent {
  double cost_usd = 0;
  std::int64_t calls = 0;
  std::int64_t tokens = 0;
};

// Used on the loop's thread only.
class Budget {
 public:
  // `already`: what earlier sessions of the run have spent.
  Budget(sched::Loop& loop, sched::Stop& stop, const BudgetLimits& limits, const Spent& already);

  // What one call reserved; releases it when destroyed, unless settled.
  class Reservation {
   public:
    Reservation(Budget& budget, const Spent& amount) : budget_(&budget), amount_(amount) {}
    Reservation(Reservation&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), amount_(other.amount_) {}
    Reservation& operator=(Reservation&&) = delete;
    ~Reservation();
    // What was set aside: the most the call may take.
    const Spent& amount() const { return amount_; }
    // The call was sent and really took this.
    void settle(std::int64_t tokens, double cost_usd);

   private:
    Budget* budget_;
    Spent amount_;
  };

  // Reserves one call of that size; waits for calls in flight if it may fit when they cost less
  // than reserved. Fails as BudgetExhausted, and then asks for a stop, if it cannot fit or if money
  // is limited and the price is unknown; as Cancelled on a stop.
  Task<Result<Reservation>> reserve(CallSize size, std::optional<Price> price);
  // The same for a call that is not needed: only if it fits at once, and without asking for a stop.
  std::optional<Reservation> find_room(CallSize size, std::optional<Price> price);

  const Spent& spent() const { return spent_; }

 private:
  // The limit that `amount` breaks on top of `base`, in words; empty if none.
  std::string broken_limit(const Spent& base, const Spent& amount) const;
  Spent spent_and_reserved() const;
  Reservation set_aside(const Spent& amount);
  void release(const Spent& amount);
  Error stop_for(std::string message);

  sched::Loop& loop_;
  sched::Stop& stop_;
  BudgetLimits limits_;
  Spent spent_;
  Spent reserved_;  // calls in flight, and the most they may take
  std::deque<sched::Signal*> waiters_;
  sched::Stop::Subscription on_stop_;
};

}  // namespace personascope::llm
