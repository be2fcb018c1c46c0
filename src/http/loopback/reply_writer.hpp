// Sends the replies of one connection, with the faults they ask for.
#pragma once

#include "base/task.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "http/loopback/in_flight.hpp"
#include "http/loopback/message.hpp"

namespace personascope::http::loopback {

enum class KeepAlive { Yes, No };
enum class WithBody { Yes, No };

// How a reply ended on the wire.
enum class Sent {
  Whole,    // the connection can carry another request
  Broken,   // close it: the peer is gone, or a fault says so
  Stalled,  // keep it open and silent
};

class ReplyWriter {
 public:
  // Borrows the socket.
  explicit ReplyWriter(boost::asio::ip::tcp::socket& socket)
      : socket_(socket), timer_(socket.get_executor()) {}

  Task<Sent> send(const LoopbackReply& reply, KeepAlive keep_alive, WithBody with_body,
                  InFlight& in_flight);

 private:
  Task<Sent> send_sized(const LoopbackReply& reply, std::string head, InFlight& in_flight);
  Task<Sent> send_chunked(const LoopbackReply& reply, std::string head, InFlight& in_flight);
  Task<Sent> send_piece(const LoopbackReply& reply, std::string_view piece);
  Task<Sent> send_chunk(const LoopbackReply& reply, std::string_view chunk);
  Task<Sent> write(std::string_view bytes);
  Task<void> wait(milliseconds delay);

  boost::asio::ip::tcp::socket& socket_;
  boost::asio::steady_timer timer_;
  std::uint64_t body_sent_ = 0;  // of the reply being sent, for the faults that count bytes
};

// The status line and headers, up to and with the empty line.
std::string render_head(const LoopbackReply& reply, KeepAlive keep_alive);

}  // namespace personascope::http::loopback
