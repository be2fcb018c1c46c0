// Stop: the request to wind down. What is under way may finish; nothing new is begun, and whoever
// only waits is woken at once.
#pragma once

#include <functional>
#include <list>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "sched/loop.hpp"

namespace personascope::sched {

// Used on the loop's thread only.
class Stop {
 public:
  explicit Stop(Loop& loop) : loop_(loop) {}
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  // The first reason stays.
  void request(Error reason);
  bool requested() const { return requested_; }
  // Why, once requested.
  const Error& reason() const { return reason_; }

  // Sleeps; false, and early, if a stop is requested.
  Task<bool> sleep_for(Duration duration);

  // Calls `callback` when a stop is requested, until the subscription is destroyed; not if the stop
  // was requested before. The callback must not end a subscription.
  class Subscription;
  [[nodiscard]] Subscription subscribe(std::function<void()> callback);

 private:
  Loop& loop_;
  bool requested_ = false;
  Error reason_;
  std::list<std::function<void()>> callbacks_;
};

class Stop::Subscription {
 public:
  Subscription(Stop& stop, std::function<void()> callback)
      : stop_(stop), place_(stop.callbacks_.insert(stop.callbacks_.end(), std::move(callback))) {}
  ~Subscription() { stop_.callbacks_.erase(place_); }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  Stop& stop_;
  std::list<std::function<void()>>::iterator place_;
};

}  // namespace personascope::sched
