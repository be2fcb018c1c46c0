#include "sched/limiter.hpp"

#include <algorithm>
#include <utility>

namespace personascope::sched {
namespace {

constexpr std::int64_t kTurnedAway = -1;

}  // namespace

Limiter::Limiter(Loop& loop, Stop& stop, const LimiterOptions& options)
    : loop_(loop),
      stop_(stop),
      options_(options),
      pacing_(options.pace),
      timer_(loop.context()),
      on_stop_(stop.subscribe([this] { admit(); })) {}

Limiter::RoleQueue& Limiter::queue_of(const std::string& role) {
  return roles_.try_emplace(role, options_.limit).first->second;
}

Task<Result<Limiter::Permit>> Limiter::acquire(std::string role, std::int64_t tokens) {
  if (!stop_.requested()) {
    Waiter waiter(loop_, std::max<std::int64_t>(0, tokens));
    queue_of(role).waiters.push_back(&waiter);
    admit();
    co_await waiter.granted.wait();
    // admit() has counted the slot, unless the wake-up was the stop's.
    if (waiter.tokens != kTurnedAway) co_return Permit(*this, std::move(role), tokens);
  }
  co_return fail(ErrorKind::Cancelled, "stopped before the call was sent");
}

void Limiter::admit() {
  if (stop_.requested()) {
    turn_away_all();
    return;
  }
  const TimePoint now = SteadyClock::now();
  TimePoint next = now;
  while (RoleQueue* queue = find_next_queue()) {
    Waiter& waiter = *queue->waiters.front();
    // Nobody overtakes: small calls of one role would keep the bucket too low for a large one.
    next = pacing_.ready_at(waiter.tokens, now);
    if (next > now) break;
    pacing_.on_sent(waiter.tokens, now);
    ++queue->in_flight;
    queue->waiters.pop_front();
    queue->last_turn = ++turns_;
    waiter.granted.set();
  }
  timer_.expires_at(next > now ? next : TimePoint::min());
  if (next <= now) return;
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) admit();
  });
}

void Limiter::turn_away_all() {
  for (auto& [role, queue] : roles_) {
    for (Waiter* waiter : queue.waiters) {
      waiter->tokens = kTurnedAway;
      waiter->granted.set();
    }
    queue.waiters.clear();
  }
  timer_.cancel();
}

Limiter::RoleQueue* Limiter::find_next_queue() {
  RoleQueue* next = nullptr;
  for (auto& [role, queue] : roles_) {
    if (queue.waiters.empty() || queue.in_flight >= queue.limit.limit()) continue;
    if (!next || queue.last_turn < next->last_turn) next = &queue;
  }
  return next;
}

void Limiter::release(const std::string& role) {
  --queue_of(role).in_flight;
  admit();
}

int Limiter::in_flight() const {
  int sum = 0;
  for (const auto& [role, queue] : roles_) sum += queue.in_flight;
  return sum;
}

int Limiter::limit() const {
  int sum = 0;
  for (const auto& [role, queue] : roles_) sum += queue.limit.limit();
  return sum;
}

std::string Limiter::describe_wait() const {
  const TimePoint now = SteadyClock::now();
  const bool anyone =
      std::ranges::any_of(roles_, [](const auto& entry) { return !entry.second.waiters.empty(); });
  if (!anyone) return "";
  if (const auto until = pacing_.paused_until(now))
    return fmt::format("the server's rate limit, {}", render_duration(*until - now));
  if (timer_.expiry() > now)
    return fmt::format("calls or tokens a minute, {}", render_duration(timer_.expiry() - now));
  return "";
}

Limiter::Permit::Permit(Limiter& limiter, std::string role, std::int64_t tokens)
    : limiter_(&limiter), role_(std::move(role)), tokens_(tokens), sent_at_(SteadyClock::now()) {}

Limiter::Permit::Permit(Permit&& other) noexcept
    : limiter_(std::exchange(other.limiter_, nullptr)),
      role_(std::move(other.role_)),
      tokens_(other.tokens_),
      sent_at_(other.sent_at_) {}

Limiter::Permit::~Permit() {
  if (limiter_) limiter_->release(role_);
}

void Limiter::Permit::report(CallEnd end, const PaceHint& hint, std::int64_t actual_tokens) {
  const TimePoint now = SteadyClock::now();
  RoleQueue& queue = limiter_->queue_of(role_);
  if (end == CallEnd::Success) queue.limit.on_success(queue.in_flight);
  if (end == CallEnd::Overload) queue.limit.on_overload(sent_at_, now);
  limiter_->pacing_.on_answer(hint, tokens_, actual_tokens, now);
}

}  // namespace personascope::sched
