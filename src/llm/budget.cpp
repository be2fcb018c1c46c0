#include "llm/budget.hpp"

namespace personascope::llm {

Budget::Budget(sched::Loop& loop, sched::Stop& stop, const BudgetLimits& limits,
               const Spent& already)
    : loop_(loop),
      stop_(stop),
      limits_(limits),
      spent_(already),
      on_stop_(stop.subscribe([this] {
        for (sched::Signal* waiter : waiters_) waiter->set();
      })) {}

std::string Budget::broken_limit(const Spent& base, const Spent& amount) const {
  if (limits_.calls && base.calls + amount.calls > *limits_.calls)
    return fmt::format("{} calls", *limits_.calls);
  if (limits_.tokens && base.tokens + amount.tokens > *limits_.tokens)
    return fmt::format("{} tokens", *limits_.tokens);
  if (limits_.cost_usd && base.cost_usd + amount.cost_usd > *limits_.cost_usd)
    return fmt::format("{} US dollars", *limits_.cost_usd);
  return "";
}

Task<Result<Budget::Reservation>> Budget::reserve(CallSize size, std::optional<Price> price) {
  if (limits_.cost_usd && !price)
    co_return fail(ErrorKind::Invalid, "money is limited, but the model's price is not known");
  const core::Usage usage{size.input_tokens, size.output_tokens, std::nullopt};
  const Spent amount{.cost_usd = price ? cost_of(*price, usage).value_or(0) : 0,
                     .calls = 1,
                     .tokens = size.input_tokens + size.output_tokens};
  for (;;) {
    if (stop_.requested()) co_return fail(ErrorKind::Cancelled, "stopped before the call was sent");
    const Spent both{spent_.cost_usd + reserved_.cost_usd, spent_.calls + reserved_.calls,
                     spent_.tokens + reserved_.tokens};
    if (broken_limit(both, amount).empty()) break;
    if (const std::string limit = broken_limit(spent_, amount); !limit.empty()) {
      Error exhausted{ErrorKind::BudgetExhausted,
                      fmt::format("the run's limit of {} leaves no room for another call", limit)};
      stop_.request(exhausted);
      co_return std::unexpected(std::move(exhausted));
    }
    sched::Signal settled(loop_);
    waiters_.push_back(&settled);
    co_await settled.wait();
    std::erase(waiters_, &settled);
  }
  reserved_.cost_usd += amount.cost_usd;
  reserved_.tokens += amount.tokens;
  spent_.calls += 1;  // a call that is sent is spent, however it ends
  co_return Reservation(*this, amount);
}

void Budget::release(const Spent& amount) {
  reserved_.cost_usd -= amount.cost_usd;
  reserved_.tokens -= amount.tokens;
  for (sched::Signal* waiter : waiters_) waiter->set();
}

Budget::Reservation::~Reservation() {
  if (budget_) budget_->release(amount_);
}

void Budget::Reservation::settle(std::int64_t tokens, double cost_usd) {
  Budget& budget = *std::exchange(budget_, nullptr);
  budget.spent_.tokens += tokens;
  budget.spent_.cost_usd += cost_usd;
  budget.release(amount_);
}

}  // namespace personascope::llm
