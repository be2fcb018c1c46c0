// The event loop: one thread that runs every coroutine, timer and socket of the program.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include <boost/asio/io_context.hpp>

#include "base/clock.hpp"
#include "base/task.hpp"

namespace personascope::sched {

class Loop {
 public:
  // Starts the task on the loop's thread. Failures are values here, so an exception that leaves it
  // is a defect and ends the program (std::terminate): to unwind would destroy what the other tasks
  // still refer to.
  void spawn(Task<void> task);
  // Runs `function` on the loop's thread, soon. May be called from any thread.
  void post(std::function<void()> function);
  // Returns when nothing is left to wait for.
  void run() noexcept;

  boost::asio::io_context& context() { return context_; }

 private:
  boost::asio::io_context context_{1};
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
