// The event loop: one thread that runs every coroutine, timer and socket of a run. A process may
// have several, each on a thread of its own.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>

#include "base/clock.hpp"
#include "base/task.hpp"

namespace personascope::sched {

class Loop {
 public:
  // Starts the task on the loop's thread. Failures are values here, so an exception that leaves a
  // task or a posted function is a defect. It goes to `on_exception`, on the loop's thread, and the
  // other tasks go on; without a handler it ends the program (std::terminate).
  void spawn(Task<void> task);
  // For the time of run(): set it before, and clear it with an empty one.
  void on_exception(std::function<void(std::exception_ptr)> handle) {
    handle_exception_ = std::move(handle);
  }
  // Runs `function` on the loop's thread, soon. May be called from any thread.
  void post(std::function<void()> function);
  // Returns when nothing is left to wait for.
  void run() noexcept;

  boost::asio::io_context& context() { return context_; }

 private:
  boost::asio::io_context context_{1};
  std::function<void(std::exception_ptr)> handle_exception_;
};

// Lets every other task that is ready run first.
Task<void> yield();
// Suspends the calling coroutine.
Task<void> sleep_for(Duration duration);

// Runs the task on a loop of its own and returns its value; for tests and one-shot commands.
template <class T>
T run_to_end(Loop& loop, Task<T> task) {
  std::optional<T> value;
  const auto wrapper = [](Task<T> inner, std::optional<T>& out) -> Task<void> {
    out.emplace(co_await std::move(inner));
  };
  loop.spawn(wrapper(std::move(task), value));
  loop.run();
  return std::move(*value);
}

}  // namespace personascope::sched
