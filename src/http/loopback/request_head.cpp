#include "http/loopback/request_head.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"

namespace personascope::http::loopback {
namespace {

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text,
                             [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 127; });
}

std::optional<std::size_t> find_size(std::string_view digits, int base) {
  std::size_t size = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), size, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return size;
}

Result<void> read_request_line(std::string_view line, RequestHead& head) {
  const auto words = split(line, ' ');
  if (words.size() != 3 || !is_token(words[0]) || words[1].empty() || has_control(line))
    return fail(ErrorKind::Invalid, "not a request line");
  if (words[2] != "HTTP/1.1" && words[2] != "HTTP/1.0")
    return fail(ErrorKind::Invalid, "not HTTP/1.x");
  head.request.method = words[0];
  head.request.target = words[1];
  head.keep_alive = words[2] == "HTTP/1.1";
  return {};
}

Result<void> read_header(std::string_view line, RequestHead& head) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) || has_control(line))
    return fail(ErrorKind::Invalid, "not a header line");
  head.request.headers.emplace_back(lower(line.substr(0, colon)), trim(line.substr(colon + 1)));
  return {};
}

Result<void> read_framing(RequestHead& head) {
  bool has_length = false;
  for (const auto& [name, value] : head.request.headers) {
    if (name == "content-length") {
      const auto size = find_size(value, 10);
      if (!size || has_length) return fail(ErrorKind::Invalid, "not one Content-Length");
      has_length = true;
      head.content_length = *size;
    } else if (name == "transfer-encoding") {
      if (lower(value) != "chunked" || head.chunked)
        return fail(ErrorKind::Invalid, "a Transfer-Encoding other than chunked");
      head.chunked = true;
    } else if (name == "connection") {
      const std::string wish = lower(value);
      if (wish == "close") head.keep_alive = false;
      if (wish == "keep-alive") head.keep_alive = true;
    } else if (name == "expect") {
      head.expects_continue = lower(value) == "100-continue";
    }
  }
  if (has_length && head.chunked)
    return fail(ErrorKind::Invalid, "both Content-Length and Transfer-Encoding");
  return {};
}

}  // namespace

Result<RequestHead> parse_request_head(std::string_view text) {
  RequestHead head;
  head.request.headers.reserve(8);
  std::size_t end = text.find("\r\n");
  RETURN_IF_ERROR(read_request_line(text.substr(0, end), head));
  while (end != std::string_view::npos) {
    text.remove_prefix(end + 2);
    end = text.find("\r\n");
    RETURN_IF_ERROR(read_header(text.substr(0, end), head));
  }
  RETURN_IF_ERROR(read_framing(head));
  return head;
}

std::optional<std::size_t> find_chunk_size(std::string_view line) {
  return find_size(trim(line.substr(0, line.find(';'))), 16);
}

}  // namespace personascope::http::loopback
