#include "sched/signal.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace personascope::sched {

Signal::Signal(Loop& loop) : timer_(loop.context(), TimePoint::max()) {}

void Signal::set() {
  set_ = true;
  timer_.cancel();
}

Task<void> Signal::wait() {
  boost::system::error_code ignored;  // "cancelled" is how set() wakes the waiter
  if (set_) co_return;
  co_await timer_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
}

Task<bool> Signal::wait_for(Duration duration) {
  boost::system::error_code ignored;
  if (set_) co_return true;
  timer_.expires_after(duration);
  co_await timer_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
  timer_.expires_at(TimePoint::max());
  co_return set_;
}

}  // namespace personascope::sched
