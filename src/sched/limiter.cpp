#include "sched/limiter.hpp"

#include <algorithm>
#include <utility>

namespace personascope::sched {

Limiter::Limiter(Loop& loop, Stop& stop, const LimiterOptions& options)
    : loop_(loop),
      stop_(stop),
      gate_(options),
      timer_(loop.context()),
      on_stop_(stop.subscribe([this] { admit(); })) {}

Task<Result<Limiter::Permit>> Limiter::acquire(Turn turn) {
  turn.tokens = std::max<std::int64_t>(0, turn.tokens);
  if (!stop_.requested()) {
    Waiter waiter(loop_, turn);
    RoleQueue& queue = roles_[turn.role];
    (turn.first ? queue.returned : queue.waiters).push_back(&waiter);
    admit();
    if (!turn.deadline) {
      co_await waiter.granted.wait();
    } else {
      const bool is_granted = co_await waiter.granted.wait_for(*turn.deadline - SteadyClock::now());
      if (!is_granted) {
        forget(waiter);
        co_return fail(ErrorKind::Timeout, "waited too long to be sent");
      }
    }
    if (waiter.pass) co_return Permit(*this, std::move(*waiter.pass));
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
  while (auto* entry = find_next_queue()) {
    auto& [role, queue] = *entry;
    Waiter& waiter = *queue.next().front();
    // Nobody overtakes: small calls of one role would keep the bucket too low for a large one.
    next = gate_.ready_at(waiter.turn.tokens, now);
    if (next > now) break;
    waiter.pass = gate_.send(role, waiter.turn.tokens, waiter.turn.call, now);
    queue.next().pop_front();
    queue.last_turn = ++turns_;
    waiter.granted.set();
  }
  const bool is_timed = next > now && next != Gate::kNoTime;
  timer_.expires_at(is_timed ? next : TimePoint::min());
  if (!is_timed) return;
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) admit();
  });
}

void Limiter::admit_soon() {
  timer_.expires_at(SteadyClock::now());
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) admit();
  });
}

void Limiter::turn_away_all() {
  for (auto& [role, queue] : roles_) {
    for (const auto* waiters : {&queue.returned, &queue.waiters})
      for (Waiter* waiter : *waiters) waiter->granted.set();
    queue.returned.clear();
    queue.waiters.clear();
  }
  timer_.cancel();
}

void Limiter::forget(const Waiter& waiter) {
  RoleQueue& queue = roles_[waiter.turn.role];
  std::erase(queue.returned, &waiter);
  std::erase(queue.waiters, &waiter);
  admit();
}

std::pair<const std::string, Limiter::RoleQueue>* Limiter::find_next_queue() {
  std::pair<const std::string, RoleQueue>* next = nullptr;
  for (auto& entry : roles_) {
    if (entry.second.empty() || !gate_.has_slot(entry.first)) continue;
    if (!next || entry.second.last_turn < next->second.last_turn) next = &entry;
  }
  return next;
}

std::string Limiter::describe_wait() const {
  const TimePoint now = SteadyClock::now();
  const bool anyone =
      std::ranges::any_of(roles_, [](const auto& entry) { return !entry.second.empty(); });
  if (!anyone) return "";
  if (gate_.breaker().is_open())
    return fmt::format("the server to come back, next try in {}",
                       render_duration(std::max(gate_.breaker().next_probe() - now, Duration{})));
  if (const auto until = gate_.paused_until(now))
    return fmt::format("the server's rate limit, {}", render_duration(*until - now));
  // Shorter waits are the usual pace.
  if (timer_.expiry() > now + seconds(1))
    return fmt::format("calls or tokens a minute, {}", render_duration(timer_.expiry() - now));
  return "";
}

Limiter::Permit::Permit(Limiter& limiter, Gate::Pass pass)
    : limiter_(&limiter), pass_(std::move(pass)) {}

Limiter::Permit::Permit(Permit&& other) noexcept
    : limiter_(std::exchange(other.limiter_, nullptr)),
      pass_(std::move(other.pass_)),
      is_reported_(other.is_reported_),
      blame_(other.blame_) {}

Limiter::Permit::~Permit() {
  if (!limiter_) return;
  if (!is_reported_) limiter_->gate_.end(pass_, CallEnd::Other, {}, 0, SteadyClock::now());
  limiter_->gate_.release(pass_);
  if (blame_ == Blame::Account)
    limiter_->admit_soon();
  else
    limiter_->admit();
}

Blame Limiter::Permit::report(CallEnd end, const PaceHint& hint, std::int64_t actual_tokens) {
  is_reported_ = true;
  blame_ = limiter_->gate_.end(pass_, end, hint, actual_tokens, SteadyClock::now());
  if (blame_ == Blame::Call) limiter_->admit();
  return blame_;
}

}  // namespace personascope::sched
