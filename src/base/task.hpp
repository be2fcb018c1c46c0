// Task<T>: the coroutine type of the whole program, and the one place that names it.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp uses std::exchange without including it.

#include <boost/asio/awaitable.hpp>

namespace personascope {

template <class T>
using Task = boost::asio::awaitable<T>;

}  // namespace personascope
