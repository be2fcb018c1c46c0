#include "llm/budget.hpp"

namespace personascope::llm {
namespace {

constexpr double kRounding = 1e-9;  // sums of cents must not break a limit they just meet

Spent most_of(const CallSize& size, const std::optional<Price>& price) {
  const core::Usage usage{size.input_tokens, size.output_tokens, std::nullopt};
  return {.cost_usd = price ? cost_of(*price, usage).value_or(0) : 0,
          .calls = 1,
          .tokens = size.input_tokens + size.output_tokens};
}

}  // namespace

Budget::Budget(sched::Loop& loop, sched::Stop& stop, const BudgetLimits& limits,
               const Spent& already)
    : loop_(loop), stop_(stop), limits_(limits), spent_(already), on_stop_(stop.subscribe([this] {
        for (sched::Signal* waiter : waiters_) waiter->set();
      })) {}

std::string Budget::broken_limit(const Spent& base, const Spent& amount) const {
  if (limits_.calls && base.calls + amount.calls > *limits_.calls)
    return fmt::format("{} calls", *limits_.calls);
  if (limits_.tokens && base.tokens + amount.tokens > *limits_.tokens)
    return fmt::format("{} tokens ({} are used, a call may take {})", *limits_.tokens, base.tokens,
                       amount.tokens);
  if (limits_.cost_usd && base.cost_usd + amount.cost_usd > *limits_.cost_usd * (1 + kRounding))
    return fmt::format("{} US dollars", *limits_.cost_usd);
  return "";
}

Spent Budget::spent_and_reserved() const {
  return {spent_.cost_usd + reserved_.cost_usd, spent_.calls + reserved_.calls,
          spent_.tokens + reserved_.tokens};
}

Budget::Reservation Budget::set_aside(const Spent& amount) {
  reserved_.cost_usd += amount.cost_usd;
  reserved_.calls += amount.calls;
  reserved_.tokens += amount.tokens;
  return {*this, amount};
}

Error Budget::stop_for(std::string message) {
  Error exhausted{ErrorKind::BudgetExhausted, std::move(message)};
  stop_.request(exhausted);
  return exhausted;
}

Task<Result<Budget::Reservation>> Budget::reserve(CallSize size, std::optional<Price> price) {
  if (limits_.cost_usd && !price)
    co_return std::unexpected(stop_for("money is limited, but the model's price is not known"));
  const Spent amount = most_of(size, price);
  for (;;) {
    if (stop_.requested()) co_return fail(ErrorKind::Cancelled, "stopped before the call was sent");
    if (broken_limit(spent_and_reserved(), amount).empty()) break;
    if (const std::string limit = broken_limit(spent_, amount); !limit.empty())
      co_return std::unexpected(
          stop_for(fmt::format("the run's limit of {} leaves no room for another call", limit)));
    sched::Signal settled(loop_);
    waiters_.push_back(&settled);
    co_await settled.wait();
    std::erase(waiters_, &settled);
  }
  co_return set_aside(amount);
}

std::optional<Budget::Reservation> Budget::find_room(CallSize size, std::optional<Price> price) {
  const Spent amount = most_of(size, price);
  const bool is_priced = price || !limits_.cost_usd;
  if (stop_.requested() || !is_priced || !broken_limit(spent_and_reserved(), amount).empty())
    return std::nullopt;
  return set_aside(amount);
}

void Budget::release(const Spent& amount) {
  reserved_.cost_usd -= amount.cost_usd;
  reserved_.calls -= amount.calls;
  reserved_.tokens -= amount.tokens;
  // What rounding left over would keep the last waiter waiting for ever.
  if (reserved_.calls == 0) reserved_.cost_usd = 0;
  for (sched::Signal* waiter : waiters_) waiter->set();
}

Budget::Reservation::~Reservation() {
  if (budget_) budget_->release(amount_);
}

void Budget::Reservation::settle(std::int64_t tokens, double cost_usd) {
  Budget& budget = *std::exchange(budget_, nullptr);
  budget.spent_.calls += amount_.calls;
  budget.spent_.tokens += tokens;
  budget.spent_.cost_usd += cost_usd;
  budget.release(amount_);
}

}  // namespace personascope::llm
