#include "sched/loop.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

namespace personascope::sched {

void Loop::spawn(Task<void> task) {
  boost::asio::co_spawn(context_, std::move(task), [](std::exception_ptr failure) {
    if (failure) std::rethrow_exception(failure);
  });
}

void Loop::post(std::function<void()> function) {
  boost::asio::post(context_, std::move(function));
}

void Loop::run() noexcept {
  context_.restart();
  for (;;) {
    try {
      context_.run();
      return;
    } catch (...) {
      // run() may be called again after an exception: only the handler that threw is lost.
      if (!handle_exception_) std::terminate();
      handle_exception_(std::current_exception());
    }
  }
}

Task<void> yield() {
  co_await boost::asio::post(co_await boost::asio::this_coro::executor, boost::asio::use_awaitable);
}

Task<void> sleep_for(Duration duration) {
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, duration);
  co_await timer.async_wait(boost::asio::use_awaitable);
}

}  // namespace personascope::sched
