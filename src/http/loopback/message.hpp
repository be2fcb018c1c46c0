// What the loopback server reads, and what its handler answers, faults included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"

namespace personascope::http {

using LoopbackHeaders = std::vector<std::pair<std::string, std::string>>;

struct LoopbackRequest {
  std::string method;
  std::string target;
  LoopbackHeaders headers;  // names in lower case
  std::string body;
  std::size_t in_flight = 1;  // requests the server is answering just now, this one included

  // The first header with that lower-case name, else null.
  const std::string* find_header(std::string_view name) const {
    for (const auto& [key, value] : headers)
      if (key == name) return &value;
    return nullptr;
  }
};

struct LoopbackChunk {
  std::string bytes;
  milliseconds delay{0};  // waited before sending
};

// Sent with Content-Length, or chunked if it has chunks or an endless body.
struct LoopbackReply {
  int status = 200;
  LoopbackHeaders headers{};
  std::string body{};
  std::vector<LoopbackChunk> chunks{};  // sent after `body`
  std::uint64_t body_bytes = 0;         // filler sent after `body`, made while sending
  milliseconds delay{0};                // waited before the first byte

  bool close_without_answer = false;
  bool endless_body = false;  // filler until the peer goes away
  // After that many bytes of the body: the connection is closed, or stays open in silence.
  std::optional<std::uint64_t> cut_after_bytes{};
  std::optional<std::uint64_t> stall_after_bytes{};
};

// Called on the server's thread, one request at a time; must not block.
using LoopbackHandler = std::function<LoopbackReply(const LoopbackRequest&)>;

struct LoopbackLimits {
  std::size_t head_bytes = 64 << 10;
  std::size_t body_bytes = 64 << 20;
};

}  // namespace personascope::http
