// Reads the requests of one connection, within limits.
#pragma once

#include "base/task.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "http/loopback/message.hpp"
#include "http/loopback/request_head.hpp"

namespace personascope::http::loopback {

class RequestReader {
 public:
  // Borrows the socket.
  RequestReader(boost::asio::ip::tcp::socket& socket, LoopbackLimits limits)
      : socket_(socket), limits_(limits) {}

  // The next request with its whole body. Fails as Cancelled when the peer is gone, as Invalid on
  // what is not HTTP/1.x, as TooLarge beyond the limits; nothing can be read after a failure.
  Task<Result<RequestHead>> read();

  // Throws away what arrives until the peer closes.
  Task<void> drain();

 private:
  Task<Result<void>> read_head(RequestHead& head);
  Task<Result<void>> read_sized_body(RequestHead& head);
  Task<Result<void>> read_chunked_body(RequestHead& head);
  Task<Result<std::string>> read_line();
  // At least one byte more, or Cancelled.
  Task<Result<void>> read_more(std::size_t wanted);
  void forget(std::size_t bytes);

  boost::asio::ip::tcp::socket& socket_;
  LoopbackLimits limits_;
  std::string received_;  // read from the socket and not yet used
};

}  // namespace personascope::http::loopback
