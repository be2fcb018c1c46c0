#include "http/loopback/reply_writer.hpp"

#include <fmt/format.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <iterator>

namespace personascope::http::loopback {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kFillerBytes = 64 << 10;

std::string_view filler() {
  static const std::string bytes(kFillerBytes, 'x');
  return bytes;
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    case 413:
      return "Content Too Large";
    case 429:
      return "Too Many Requests";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return "Status";
  }
}

bool is_chunked(const LoopbackReply& reply) {
  return reply.endless_body || !reply.chunks.empty();
}

bool has_line_break(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

}  // namespace

std::string render_head(const LoopbackReply& reply, KeepAlive keep_alive) {
  std::string head;
  head.reserve(256 + reply.body.size());
  auto out = std::back_inserter(head);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\n", reply.status, reason_of(reply.status));
  for (const auto& [name, value] : reply.headers)
    if (!has_line_break(name) && !has_line_break(value))
      fmt::format_to(out, "{}: {}\r\n", name, value);
  if (is_chunked(reply))
    head += "Transfer-Encoding: chunked\r\n";
  else
    fmt::format_to(out, "Content-Length: {}\r\n", reply.body.size() + reply.body_bytes);
  if (keep_alive == KeepAlive::No) head += "Connection: close\r\n";
  head += "\r\n";
  return head;
}

Task<Sent> ReplyWriter::send(const LoopbackReply& reply, KeepAlive keep_alive, WithBody with_body,
                             InFlight& in_flight) {
  if (reply.delay.count() > 0) co_await wait(reply.delay);
  if (reply.close_without_answer) co_return Sent::Broken;
  body_sent_ = 0;
  std::string head = render_head(reply, keep_alive);
  const bool plain = !is_chunked(reply) && reply.body_bytes == 0 && !reply.cut_after_bytes &&
                     !reply.stall_after_bytes;
  if (plain || with_body == WithBody::No) {
    if (with_body == WithBody::Yes) head += reply.body;
    in_flight.release();
    co_return co_await write(head);
  }
  if (is_chunked(reply)) co_return co_await send_chunked(reply, std::move(head), in_flight);
  co_return co_await send_sized(reply, std::move(head), in_flight);
}

Task<Sent> ReplyWriter::send_sized(const LoopbackReply& reply, std::string head,
                                   InFlight& in_flight) {
  Sent sent = co_await write(head);
  if (sent == Sent::Whole) sent = co_await send_piece(reply, reply.body);
  std::uint64_t left = reply.body_bytes;
  while (sent == Sent::Whole && left > 0) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, kFillerBytes));
    left -= size;
    if (left == 0) in_flight.release();
    sent = co_await send_piece(reply, filler().substr(0, size));
  }
  co_return sent;
}

Task<Sent> ReplyWriter::send_chunked(const LoopbackReply& reply, std::string head,
                                     InFlight& in_flight) {
  Sent sent = co_await write(head);
  if (sent == Sent::Whole && !reply.body.empty()) sent = co_await send_chunk(reply, reply.body);
  for (const LoopbackChunk& chunk : reply.chunks) {
    if (sent != Sent::Whole) co_return sent;
    if (chunk.delay.count() > 0) co_await wait(chunk.delay);
    if (!chunk.bytes.empty()) sent = co_await send_chunk(reply, chunk.bytes);
  }
  while (sent == Sent::Whole && reply.endless_body) sent = co_await send_chunk(reply, filler());
  if (sent != Sent::Whole) co_return sent;
  in_flight.release();
  co_return co_await write("0\r\n\r\n");
}

Task<Sent> ReplyWriter::send_chunk(const LoopbackReply& reply, std::string_view chunk) {
  const std::string size = fmt::format("{:x}\r\n", chunk.size());
  Sent sent = co_await write(size);
  if (sent == Sent::Whole) sent = co_await send_piece(reply, chunk);
  if (sent == Sent::Whole) sent = co_await write("\r\n");
  co_return sent;
}

Task<Sent> ReplyWriter::send_piece(const LoopbackReply& reply, std::string_view piece) {
  const std::uint64_t cut = reply.cut_after_bytes.value_or(UINT64_MAX);
  const std::uint64_t stall = reply.stall_after_bytes.value_or(UINT64_MAX);
  const std::uint64_t left = std::min(cut, stall) - body_sent_;
  const bool faulty = left < piece.size() || (left == 0 && piece.empty());
  if (faulty) piece = piece.substr(0, static_cast<std::size_t>(left));
  body_sent_ += piece.size();
  const Sent sent = co_await write(piece);
  if (sent == Sent::Whole && faulty) co_return cut <= stall ? Sent::Broken : Sent::Stalled;
  co_return sent;
}

Task<Sent> ReplyWriter::write(std::string_view bytes) {
  boost::system::error_code error;
  co_await asio::async_write(socket_, asio::buffer(bytes),
                             asio::redirect_error(asio::use_awaitable, error));
  co_return error ? Sent::Broken : Sent::Whole;
}

Task<void> ReplyWriter::wait(milliseconds delay) {
  boost::system::error_code ignored;
  // Whole milliseconds, so that replies due together cost one timer of the kernel's, not one each.
  timer_.expires_at(std::chrono::ceil<milliseconds>(SteadyClock::now() + delay));
  co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

}  // namespace personascope::http::loopback
