#include "llm/ask_chain.hpp"

#include <algorithm>
#include <utility>

#include "base/exception.hpp"
#include "base/text.hpp"
#include "llm/asking.hpp"

namespace personascope::llm {
namespace {

constexpr std::size_t kLongestReason = 60;
constexpr milliseconds kFixedPause{500};

// Errors that every further call to the endpoint would meet too.
bool breaks_endpoint(ErrorKind kind) {
  return kind == ErrorKind::Unauthorized || kind == ErrorKind::NotFound ||
         kind == ErrorKind::Misconfigured;
}

// Whether a stored answer is an error, so that its item failed; a refusal is no failure.
bool is_failure(const Result<core::Reply>& answer) {
  return !answer && answer.error().kind != ErrorKind::Refused;
}

sched::CallEnd end_of(const Attempt& attempt) {
  if (attempt.reply || is_answer(attempt.reply.error().kind)) return sched::CallEnd::Success;
  if (attempt.is_unavailable) return sched::CallEnd::Unavailable;
  switch (attempt.reply.error().kind) {
    case ErrorKind::RateLimited:
      return sched::CallEnd::Refused;
    case ErrorKind::Unreachable:
      return sched::CallEnd::Unreachable;
    default:
      return sched::CallEnd::Other;
  }
}

bool is_cancelled(const Result<core::Reply>& result) {
  return !result && result.error().kind == ErrorKind::Cancelled;
}

}  // namespace

bool is_answer(ErrorKind kind) {
  return kind == ErrorKind::Refused || kind == ErrorKind::ContextTooLong ||
         kind == ErrorKind::Invalid;
}

AskChain::AskChain(sched::Loop& loop, sched::Stop& stop, store::Journal& journal, Budget& budget,
                   const Prices& prices, ChainOptions options)
    : loop_(loop),
      stop_(stop),
      journal_(journal),
      budget_(budget),
      prices_(prices),
      options_(std::move(options)) {}

Task<Result<core::Reply>> AskChain::ask(Model& model, core::Request request, Draw draw,
                                        std::function<void(std::string_view)> on_text) {
  Call call = make_call(model.endpoint(), request, draw, salt_of(draw.role));
  const std::string key(bytes_of(call.key));
  if (const auto place = in_flight_.find(key); place != in_flight_.end()) {
    const std::shared_ptr<Pending> pending = place->second;  // shared: the map forgets it first
    ++meter_.joined;
    co_await pending->done.wait();
    if (!is_cancelled(*pending->result)) ++meter_.ended;
    tell(draw, call.key, *pending->result);
    if (on_text && *pending->result) on_text((*pending->result)->text);
    co_return *pending->result;
  }
  const auto pending = std::make_shared<Pending>(loop_);
  in_flight_.emplace(key, pending);
  const CallSize size = estimate_size(request);
  auto asking =
      std::make_shared<Asking>(Asking{.model = model,
                                      .request = std::move(request),
                                      .draw = std::move(draw),
                                      .on_text = std::move(on_text),
                                      .call = std::move(call),
                                      .size = size,
                                      .price = prices_.find(render_name(model.endpoint())),
                                      .number = ++asked_});
  Result<core::Reply> result;
  try {
    result = co_await answer(asking);
  } catch (...) {  // whoever waits for the same draw must not wait for ever
    result = std::unexpected(make_internal_error(std::current_exception()));
    stop_.request(result.error());
  }
  tell(asking->draw, asking->call.key, result);
  if (!result) ++meter_.failed;
  if (!is_cancelled(result)) ++meter_.ended;
  pending->result = result;
  in_flight_.erase(key);
  pending->done.set();
  co_return result;
}

void AskChain::tell(const Draw& draw, const Digest& key, const Result<core::Reply>& answer) const {
  if (options_.on_answer && (answer || is_answer(answer.error().kind)))
    options_.on_answer(draw, key, answer);
}

Task<Result<core::Reply>> AskChain::answer(std::shared_ptr<Asking> shared) {
  Asking& asking = *shared;
  auto found = co_await look_up(asking);
  CO_ASSIGN_OR_RETURN(auto known, std::move(found));
  if (known) {
    ++meter_.from_journal;
    if (*known && asking.on_text) asking.on_text((*known)->text);
    co_return std::move(*known);
  }
  CO_RETURN_IF_ERROR(check_support(asking.model, asking.request));
  Result<core::Reply> reply = co_await send_until_answered(shared);
  if (reply && asking.on_text) asking.show(reply->text);
  if (!reply && is_local(asking.model) && is_answer(reply.error().kind)) {
    // It may depend on the memory allowed, and costs nothing to meet again.
    record_attempt(asking, reply.error(), asking.latency_us, {});
    co_return reply;
  }
  if (reply || is_answer(reply.error().kind)) {
    auto earlier = co_await commit(asking, reply);
    if (!earlier) co_return std::unexpected(std::move(earlier).error());
    if (*earlier) {
      if (**earlier && asking.on_text) asking.show((**earlier)->text);
      co_return std::move(**earlier);
    }
  }
  co_return reply;
}

Task<Result<std::optional<Result<core::Reply>>>> AskChain::find_newest(Asking& asking) {
  const std::string first_key(bytes_of(asking.call.key));
  auto stored = co_await journal_.find_answer(asking.call.key);
  while (stored && *stored && is_failure(**stored)) {
    Draw draw = asking.draw;
    ++draw.round;
    Call call = make_call(asking.model.endpoint(), asking.request, draw, salt_of(draw.role));
    auto later = co_await journal_.find_answer(call.key);
    const bool is_last = later && !*later;
    if (is_last && (!options_.retry_failed || is_replay(draw.role))) break;
    if (is_last && !asked_again_.insert(first_key).second) break;  // once in a session
    asking.draw = std::move(draw);
    asking.call = std::move(call);
    stored = std::move(later);
  }
  co_return stored;
}

Task<Result<std::optional<Result<core::Reply>>>> AskChain::look_up(Asking& asking) {
  auto stored = co_await find_newest(asking);
  if (!stored) stop_.request(stored.error());
  if (!stored || *stored || !is_replay(asking.draw.role)) co_return stored;
  auto attempt = co_await journal_.find_last_attempt(asking.call.key);
  if (!attempt) {
    stop_.request(attempt.error());
    co_return std::unexpected(std::move(attempt).error());
  }
  if (*attempt) co_return std::optional<Result<core::Reply>>(std::unexpected(std::move(**attempt)));
  if (misses_.size() < options_.max_misses) misses_.push_back({asking.draw, asking.call});
  Error missing{ErrorKind::NotFound,
                fmt::format("replay: the call for \"{}\" ({}) is not in the journal",
                            printable(shorten(asking.draw.item, 80)), asking.draw.role)};
  if (options_.stop_on_miss) stop_.request(missing);
  co_return std::unexpected(std::move(missing));
}

Task<Attempt> AskChain::send_alone(Asking& asking) {
  auto reservation = co_await budget_.reserve(asking.size, asking.price);
  if (!reservation) co_return Attempt{std::unexpected(std::move(reservation).error()), {}};
  Attempt attempt = co_await send_once(asking, std::move(*reservation), nullptr);
  co_return attempt;
}

Task<Attempt> AskChain::send_once(Asking& asking, Budget::Reservation reservation, Lane* lane) {
  sched::Limiter& limiter = limiter_of(asking.model);
  sched::Turn turn;
  turn.role = asking.draw.role;
  turn.tokens = likely_tokens(asking.size);
  turn.call = asking.number;
  turn.first = asking.comes_back;
  if (asking.first_sent_at) turn.deadline = *asking.first_sent_at + options_.total_timeout;
  auto permit = co_await limiter.acquire(std::move(turn));
  if (!permit && permit.error().kind == ErrorKind::Timeout) {
    asking.charge = {};
    Attempt late{std::unexpected(asking.last_failure.value_or(permit.error())), {}};
    late.blame = sched::Blame::Account;
    co_return late;
  }
  if (!permit) co_return Attempt{std::unexpected(std::move(permit).error()), {}};
  // The slot may have come free with the very answer that stopped the run or decided the race.
  if (stop_.requested() || (lane && lane->cancel.requested()))
    co_return Attempt{fail(ErrorKind::Cancelled, "cancelled before it was sent"), {}};

  const TimePoint sent_at = SteadyClock::now();
  if (!asking.first_sent_at) asking.first_sent_at = sent_at;
  if (lane) lane->sent.set();
  Delivery delivery;
  delivery.on_text = asking.make_listener();
  delivery.seed = Random(0, "draw", bytes_of(asking.call.key)).next();
  sched::Cancel own_cancel;
  delivery.cancel = lane ? &lane->cancel : &own_cancel;
  // What is computed here is computed again for nothing: nobody need wait for it.
  std::optional<sched::Stop::Subscription> on_stop;
  if (is_local(asking.model))
    on_stop.emplace(stop_, [cancel = delivery.cancel] { cancel->request(); });
  delivery.time_left =
      std::max(milliseconds{1}, std::chrono::duration_cast<milliseconds>(
                                    *asking.first_sent_at + options_.total_timeout - sent_at));
  ++meter_.sent;
  ++meter_.in_flight;
  Attempt attempt = co_await asking.model.ask(asking.request, std::move(delivery));
  --meter_.in_flight;
  attempt.latency_us =
      std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - sent_at).count();
  // Before the slot is free, or the next call would be sent to meet the same.
  if (!attempt.reply && breaks_endpoint(attempt.reply.error().kind))
    stop_.request(attempt.reply.error());
  stop_if_never_reached(attempt, limiter);
  (lane ? lane->charge : asking.charge) = count(asking, attempt, reservation);
  std::int64_t used = 0;
  if (attempt.reply)
    used = attempt.reply->usage.input_tokens.value_or(asking.size.input_tokens) +
           attempt.reply->usage.output_tokens.value_or(0);
  const sched::CallEnd end = end_of(attempt);
  attempt.blame = permit->report(end, attempt.pace, used);
  if (end == sched::CallEnd::Refused) ++meter_.rate_limited;
  // A number that the user insists on is kept to: the call waits in its slot.
  if (end == sched::CallEnd::Refused && !limiter.gate().adapts())
    co_await stop_.sleep_for(attempt.pace.retry_after.value_or(kFixedPause));
  // Nothing is paid for what is computed here, and the next request need not wait.
  if (end == sched::CallEnd::Success && !is_local(asking.model))
    (lane ? lane->slot : asking.slot).emplace(std::move(*permit));
  co_return attempt;
}

void AskChain::record_attempt(const Asking& asking, const Error& error, std::int64_t latency_us,
                              const store::Charge& charge) {
  journal_.append(store::AttemptRecord{.key = asking.call.key,
                                       .run = options_.run,
                                       .item = asking.draw.item,
                                       .error = error,
                                       .latency_us = latency_us,
                                       .charge = charge});
}

store::Charge AskChain::count(const Asking& asking, const Attempt& attempt,
                              Budget::Reservation& reservation) {
  const Spent most = reservation.amount();
  const auto settle = [&](std::int64_t tokens, double cost_usd) {
    reservation.settle(tokens, cost_usd);
    return store::Charge{tokens, cost_usd};
  };
  if (!attempt.reply) {
    // A request that was given up half-way may be billed all the same.
    const ErrorKind kind = attempt.reply.error().kind;
    const bool may_be_billed = kind == ErrorKind::Timeout || kind == ErrorKind::Cancelled;
    return may_be_billed ? settle(most.tokens, most.cost_usd) : settle(0, 0);
  }
  const core::Usage& usage = attempt.reply->usage;
  const auto cost = asking.price ? cost_of(*asking.price, usage) : std::nullopt;
  ++meter_.answered;
  meter_.input_tokens += usage.input_tokens.value_or(0);
  meter_.output_tokens += usage.output_tokens.value_or(0);
  meter_.cost_usd += cost.value_or(0);
  if (!cost) ++meter_.unpriced;
  const std::int64_t tokens = usage.input_tokens.value_or(asking.size.input_tokens) +
                              usage.output_tokens.value_or(asking.size.output_tokens);
  return settle(tokens, cost.value_or(most.cost_usd));  // unknown is not zero
}

Task<Result<std::optional<Result<core::Reply>>>> AskChain::commit(
    Asking& asking, const Result<core::Reply>& answer) {
  std::optional<double> cost;
  if (asking.price) cost = cost_of(*asking.price, answer ? answer->usage : core::Usage{});
  if (is_local(asking.model)) cost = 0;
  store::CallRecord record{.key = asking.call.key,
                           .run = options_.run,
                           .item = asking.draw.item,
                           .role = asking.draw.role,
                           .endpoint = asking.call.endpoint,
                           .request = asking.call.request,
                           .replicate = asking.call.replicate,
                           .answer = answer,
                           .cost_usd = cost,
                           .latency_us = asking.latency_us,
                           .charge = asking.charge};
  sched::Signal committed(loop_);
  Result<store::Kept> kept;
  journal_.append(std::move(record), [&, this](Result<store::Kept> outcome) {
    loop_.post([&, this, outcome = std::move(outcome)]() mutable {
      // First, or the slot would let one more call out: paying for answers that cannot be kept
      // helps nobody.
      if (!outcome) stop_.request(outcome.error());
      asking.slot.reset();
      kept = std::move(outcome);
      committed.set();
    });
  });
  co_await committed.wait();
  if (!kept) co_return std::unexpected(std::move(kept).error());
  if (*kept == store::Kept::This) co_return std::nullopt;
  auto earlier = co_await journal_.find_answer(asking.call.key);
  if (!earlier) stop_.request(earlier.error());
  co_return earlier;
}

const std::string& AskChain::salt_of(const std::string& role) const {
  static const std::string kNone;
  if (options_.replay_roles.contains(role)) return options_.replay_salt;
  return options_.fresh || options_.fresh_roles.contains(role) ? options_.salt : kNone;
}

bool AskChain::is_replay(const std::string& role) const {
  return options_.replay || options_.replay_roles.contains(role);
}

sched::Limiter& AskChain::limiter_of(const Model& model) {
  auto& limiter = limiters_[render_account(model.endpoint())];
  if (limiter) return *limiter;
  sched::LimiterOptions limits = options_.limiter;
  // A model in this program needs no finding out how much it can take.
  if (model.features().local_slots > 0 && limits.limit.adapt) {
    const int slots = std::min(model.features().local_slots, limits.limit.most);
    limits.limit = {.start = slots, .most = slots, .adapt = false};
  }
  limiter = std::make_unique<sched::Limiter>(loop_, stop_, limits);
  return *limiter;
}

std::string AskChain::describe_wait() const {
  for (const auto& [account, limiter] : limiters_) {
    const std::string wait = limiter->describe_wait();
    if (!wait.empty() && limiter->gate().breaker().is_open())
      return fmt::format("paused, waiting for {} ({})", wait, shorten(last_error_, kLongestReason));
    if (!wait.empty()) return fmt::format("waiting for {} ({})", wait, split(account, ' ').front());
  }
  if (waiting_to_retry_ > 0 && meter_.in_flight == 0)
    return fmt::format("waiting to try {} again ({})", waiting_to_retry_,
                       shorten(last_error_, kLongestReason));
  return "";
}

}  // namespace personascope::llm
