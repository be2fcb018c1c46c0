#include "http/loopback/request_reader.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>

namespace personascope::http::loopback {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kReadBytes = 4 << 10;
constexpr std::size_t kMostReadBytes = 256 << 10;
constexpr std::size_t kKeptCapacity = 64 << 10;

}  // namespace

Task<Result<RequestHead>> RequestReader::read() {
  RequestHead head;
  CO_RETURN_IF_ERROR(co_await read_head(head));
  if (head.content_length > limits_.body_bytes)
    co_return fail(ErrorKind::TooLarge, "the body is larger than {} bytes", limits_.body_bytes);
  const bool has_body = head.chunked || head.content_length > 0;
  if (has_body && head.expects_continue && received_.empty()) {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    boost::system::error_code ignored;  // a broken connection shows when the body is read
    co_await asio::async_write(socket_, asio::buffer(kContinue),
                               asio::redirect_error(asio::use_awaitable, ignored));
  }
  if (head.chunked) {
    CO_RETURN_IF_ERROR(co_await read_chunked_body(head));
  } else if (head.content_length > received_.size()) {
    CO_RETURN_IF_ERROR(co_await read_sized_body(head));
  } else {
    head.request.body.assign(received_, 0, head.content_length);
    forget(head.content_length);
  }
  co_return head;
}

Task<Result<void>> RequestReader::read_head(RequestHead& head) {
  std::size_t searched = 0;
  for (;;) {
    const std::size_t end = received_.find("\r\n\r\n", searched);
    if (end != std::string::npos) {
      CO_ASSIGN_OR_RETURN(head, parse_request_head(std::string_view(received_).substr(0, end)));
      forget(end + 4);
      co_return Result<void>();
    }
    if (received_.size() > limits_.head_bytes)
      co_return fail(ErrorKind::TooLarge, "the head is larger than {} bytes", limits_.head_bytes);
    // What cannot become a method is answered at once: its sender may wait for an answer itself.
    if (!received_.empty() && (received_[0] < 'A' || received_[0] > 'Z'))
      co_return fail(ErrorKind::Invalid, "not HTTP");
    searched = received_.size() < 3 ? 0 : received_.size() - 3;
    CO_RETURN_IF_ERROR(co_await read_more(kReadBytes));
  }
}

Task<Result<void>> RequestReader::read_sized_body(RequestHead& head) {
  while (received_.size() < head.content_length)
    CO_RETURN_IF_ERROR(co_await read_more(head.content_length - received_.size()));
  head.request.body.assign(received_, 0, head.content_length);
  forget(head.content_length);
  co_return Result<void>();
}

Task<Result<void>> RequestReader::read_chunked_body(RequestHead& head) {
  std::string& body = head.request.body;
  for (;;) {
    CO_ASSIGN_OR_RETURN(const std::string line, co_await read_line());
    const auto size = find_chunk_size(line);
    if (!size) co_return fail(ErrorKind::Invalid, "not a chunk size");
    if (*size == 0) break;
    if (*size > limits_.body_bytes - body.size())
      co_return fail(ErrorKind::TooLarge, "the body is larger than {} bytes", limits_.body_bytes);
    while (received_.size() < *size + 2)
      CO_RETURN_IF_ERROR(co_await read_more(*size + 2 - received_.size()));
    if (received_.compare(*size, 2, "\r\n") != 0)
      co_return fail(ErrorKind::Invalid, "a chunk of another size than it says");
    body.append(received_, 0, *size);
    forget(*size + 2);
  }
  for (;;) {  // trailers, unused
    CO_ASSIGN_OR_RETURN(const std::string line, co_await read_line());
    if (line.empty()) co_return Result<void>();
  }
}

Task<Result<std::string>> RequestReader::read_line() {
  for (;;) {
    const std::size_t end = received_.find("\r\n");
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      forget(end + 2);
      co_return line;
    }
    if (received_.size() > limits_.head_bytes)
      co_return fail(ErrorKind::TooLarge, "a line longer than {} bytes", limits_.head_bytes);
    CO_RETURN_IF_ERROR(co_await read_more(kReadBytes));
  }
}

Task<Result<void>> RequestReader::read_more(std::size_t wanted) {
  const std::size_t before = received_.size();
  received_.resize(before + std::clamp(wanted, kReadBytes, kMostReadBytes));
  boost::system::error_code error;
  const std::size_t count = co_await socket_.async_read_some(
      asio::buffer(received_.data() + before, received_.size() - before),
      asio::redirect_error(asio::use_awaitable, error));
  received_.resize(before + count);
  if (error) co_return fail(ErrorKind::Cancelled, "the peer is gone: {}", error.message());
  co_return Result<void>();
}

Task<void> RequestReader::drain() {
  std::array<char, kReadBytes> nowhere;
  boost::system::error_code error;
  while (!error)
    co_await socket_.async_read_some(asio::buffer(nowhere),
                                     asio::redirect_error(asio::use_awaitable, error));
}

void RequestReader::forget(std::size_t bytes) {
  received_.erase(0, bytes);
  // One huge request must not pin its size for the life of the connection.
  if (received_.empty() && received_.capacity() > kKeptCapacity) std::string().swap(received_);
}

}  // namespace personascope::http::loopback
