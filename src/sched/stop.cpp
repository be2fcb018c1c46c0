#include "sched/stop.hpp"

#include "sched/signal.hpp"

namespace personascope::sched {

void Stop::request(Error reason) {
  if (requested_) return;
  requested_ = true;
  reason_ = std::move(reason);
  for (const auto& callback : callbacks_) callback();
}

Task<bool> Stop::sleep_for(Duration duration) {
  if (requested_) co_return false;
  Signal woken(loop_);
  const Subscription subscription = subscribe([&woken] { woken.set(); });
  co_await woken.wait_for(duration);
  co_return !requested_;
}

Stop::Subscription Stop::subscribe(std::function<void()> callback) {
  return {*this, std::move(callback)};
}

}  // namespace personascope::sched
