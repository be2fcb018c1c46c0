// Signal: a coroutine waits, somebody sets it, the coroutine goes on. Set once, stays set.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include "base/clock.hpp"
#include "base/task.hpp"
#include "sched/loop.hpp"

namespace personascope::sched {

// Used on the loop's thread only; another thread sets it through Loop::post.
class Signal {
 public:
  explicit Signal(Loop& loop);
  void set();
  bool is_set() const { return set_; }
  // Any number of coroutines may wait.
  Task<void> wait();
  // False if `duration` passed first. For one waiter only.
  Task<bool> wait_for(Duration duration);

 private:
  boost::asio::steady_timer timer_;
  bool set_ = false;
};

}  // namespace personascope::sched
