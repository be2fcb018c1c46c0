// The head of an HTTP/1.x request: everything before the body.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "http/loopback/message.hpp"

namespace personascope::http::loopback {

struct RequestHead {
  LoopbackRequest request;  // without its body
  std::size_t content_length = 0;
  bool chunked = false;
  bool keep_alive = true;
  bool expects_continue = false;
};

// `text` runs up to, and without, the empty line. Fails as Invalid on anything that a careful
// server would not guess about (two lengths, blanks before a colon, control characters).
Result<RequestHead> parse_request_head(std::string_view text);

// The size on a chunk's first line, whose extensions are ignored; nothing if it has none.
std::optional<std::size_t> find_chunk_size(std::string_view line);

}  // namespace personascope::http::loopback
