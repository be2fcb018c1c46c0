// One connection of the loopback server: reads requests, asks the handler, sends its replies.
#pragma once

#include "base/task.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>

#include "http/loopback/message.hpp"

namespace personascope::http::loopback {

// What all connections of a server share, on its one thread.
struct Shared {
  LoopbackHandler handler;
  LoopbackLimits limits;
  std::size_t in_flight = 0;
};

// Serves until the peer goes away, asks to close, breaks the protocol, or a fault closes it.
// Borrows `shared`.
Task<void> serve(boost::asio::ip::tcp::socket socket, Shared& shared);

}  // namespace personascope::http::loopback
