// How the ask chain goes on after an attempt that gave no answer.
#include <utility>

#include "base/random.hpp"
#include "base/text.hpp"
#include "llm/ask_chain.hpp"
#include "llm/asking.hpp"
#include "llm/thinking.hpp"

namespace personascope::llm {
namespace {

// Errors after which there is nothing to try and nothing to record as an attempt.
bool is_final(ErrorKind kind) {
  return is_answer(kind) || kind == ErrorKind::Cancelled || kind == ErrorKind::BudgetExhausted;
}

}  // namespace

Task<Result<core::Reply>> AskChain::send_until_answered(std::shared_ptr<Asking> shared) {
  Asking& asking = *shared;
  Random jitter(0, "retry", bytes_of(asking.call.key));
  bool may_be_empty = !options_.retries_empty || options_.retry.max_retries < 1 ||
                      is_local(asking.model) || asking.request.continuation.has_value();
  for (int tries = 1;;) {
    // Two statements: GCC 12 destroys the value twice in `condition ? co_await a : co_await b`.
    const bool is_hedged = options_.hedge_after && !asking.on_text && !is_local(asking.model);
    Task<Attempt> sending = is_hedged ? send_hedged(shared) : send_alone(asking);
    Attempt attempt = co_await std::move(sending);
    asking.latency_us = attempt.latency_us;
    if (attempt.reply) split_thinking(*attempt.reply);
    // One that was cut off at its limit would be cut off again.
    const bool is_empty = attempt.reply && core::is_empty(*attempt.reply) &&
                          attempt.reply->finish == core::FinishReason::Stop;
    if (is_empty && !may_be_empty) {
      may_be_empty = true;  // the second one counts
      record_attempt(asking, {ErrorKind::Transient, "the answer was empty"}, attempt.latency_us,
                     asking.charge);
      ++meter_.retried;
      asking.slot.reset();
      continue;
    }
    if (attempt.reply || is_final(attempt.reply.error().kind)) co_return std::move(attempt.reply);

    Error& error = attempt.reply.error();
    if (attempt.blame == sched::Blame::Account) {
      const bool goes_on = may_queue_again(asking, error);
      record_attempt(asking, error, attempt.latency_us, asking.charge);
      if (limiter_of(asking.model).gate().paused_until(SteadyClock::now()))
        stop_if_too_long(attempt.pace, error);
      if (goes_on) continue;
      // The server is gone for longer than a call may take: the next ones would fare no better.
      if (limiter_of(asking.model).gate().breaker().is_open()) {
        stop_.request(error);
        co_return fail(ErrorKind::Cancelled, "stopped while the server was down");
      }
      co_return std::move(attempt.reply);
    }
    const auto wait =
        sched::is_worth_retrying(error.kind)
            ? sched::find_retry_wait(options_.retry, tries, attempt.pace.retry_after, jitter)
            : std::nullopt;
    const TimePoint deadline = *asking.first_sent_at + options_.total_timeout;
    const bool goes_on = wait && SteadyClock::now() + *wait < deadline;
    // Said in the record too, so that a replay gives the same words.
    if (!goes_on && tries > 1) error.message += fmt::format(" (after {} tries)", tries);
    record_attempt(asking, error, attempt.latency_us, asking.charge);
    stop_if_too_long(attempt.pace, error);
    if (!goes_on) co_return std::move(attempt.reply);

    ++meter_.retried;
    ++waiting_to_retry_;
    last_error_ = error.message;
    asking.last_failure = error;
    const bool is_stopped = !co_await stop_.sleep_for(*wait);
    --waiting_to_retry_;
    if (is_stopped) co_return fail(ErrorKind::Cancelled, "interrupted while waiting to retry");
    asking.comes_back = false;
    ++tries;
  }
}

bool AskChain::may_queue_again(Asking& asking, Error& error) {
  const TimePoint now = SteadyClock::now();
  const TimePoint deadline = *asking.first_sent_at + options_.total_timeout;
  const TimePoint ready = limiter_of(asking.model).gate().paused_until(now).value_or(now);
  last_error_ = error.message;
  if (ready >= deadline) {
    error.message += fmt::format(" (gave up after {}, see `timeout`)",
                                 render_duration(now - *asking.first_sent_at));
    return false;
  }
  // One that the server answers with an error may be the cause itself: others first.
  asking.comes_back = error.kind == ErrorKind::RateLimited || error.kind == ErrorKind::Unreachable;
  asking.last_failure = error;
  return true;
}

void AskChain::stop_if_too_long(const sched::PaceHint& pace, const Error& error) {
  if (!pace.retry_after || *pace.retry_after <= options_.total_timeout) return;
  stop_.request(
      Error{error.kind,
            fmt::format("the server asks to wait {}, longer than one call may take (`timeout`): {}",
                        render_duration(*pace.retry_after), error.message)});
}

void AskChain::stop_if_never_reached(const Attempt& attempt, const sched::Limiter& limiter) {
  if (attempt.reply || attempt.reply.error().kind != ErrorKind::Unreachable) return;
  if (limiter.gate().breaker().has_answered()) return;
  stop_.request(
      Error{ErrorKind::Unreachable,
            attempt.reply.error().message +
                "; check the address (`base_url`), the network, and that the server runs"});
}

}  // namespace personascope::llm
