// all(tasks): several tasks at once, and their values in the order of the tasks.
#pragma once

#include "base/task.hpp"  // first: Boost 1.74 needs what it includes

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <vector>

#include "base/result.hpp"

namespace personascope {

namespace detail {

// Lives in the frame of `all`, which waits for every task.
template <class T>
struct Gathering {
  std::vector<std::optional<T>> values;
  std::size_t left = 0;
  boost::asio::steady_timer done;
};

template <class T>
Task<void> gather_one(Task<T> task, Gathering<T>& gathering, std::size_t place) {
  gathering.values[place].emplace(co_await std::move(task));
  if (--gathering.left == 0) gathering.done.cancel();
}

}  // namespace detail

// As with Loop::spawn, an exception that leaves a task is a defect and ends the program.
template <class T>
Task<std::vector<T>> all(std::vector<Task<T>> tasks) {
  const auto executor = co_await boost::asio::this_coro::executor;
  detail::Gathering<T> gathering{
      std::vector<std::optional<T>>(tasks.size()), tasks.size(),
      boost::asio::steady_timer(executor, std::chrono::steady_clock::time_point::max())};
  for (std::size_t i = 0; i < tasks.size(); ++i)
    boost::asio::co_spawn(executor, detail::gather_one(std::move(tasks[i]), gathering, i),
                          [](std::exception_ptr failure) {
                            if (failure) std::rethrow_exception(failure);
                          });
  boost::system::error_code cancelled;
  if (gathering.left > 0)
    co_await gathering.done.async_wait(
        boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
  std::vector<T> values;
  values.reserve(gathering.values.size());
  for (std::optional<T>& value : gathering.values) values.push_back(std::move(*value));
  co_return values;
}

// The first that failed, if any did.
inline Result<void> first_failure(std::vector<Result<void>> results) {
  for (Result<void>& result : results)
    if (!result) return std::move(result);
  return {};
}

}  // namespace personascope
