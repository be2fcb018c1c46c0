#include "http/loopback/connection.hpp"

#include <exception>

#include "http/loopback/in_flight.hpp"
#include "http/loopback/reply_writer.hpp"
#include "http/loopback/request_reader.hpp"

namespace personascope::http::loopback {
namespace {

LoopbackReply make_plain_reply(int status, std::string_view message) {
  LoopbackReply reply;
  reply.status = status;
  reply.headers = {{"Content-Type", "text/plain"}};
  reply.body = message;
  return reply;
}

LoopbackReply ask_handler(const LoopbackHandler& handler, const LoopbackRequest& request) {
  try {
    return handler(request);
  } catch (const std::exception& error) {
    return make_plain_reply(500, error.what());
  }
}

// Answers what could not be read, and reads on so that closing does not reset the answer away.
Task<void> reject(const Error& error, RequestReader& reader, ReplyWriter& writer,
                  boost::asio::ip::tcp::socket& socket, std::size_t& in_flight) {
  const LoopbackReply reply =
      make_plain_reply(error.kind == ErrorKind::TooLarge ? 413 : 400, error.message);
  InFlight counted(in_flight);
  if (co_await writer.send(reply, KeepAlive::No, WithBody::Yes, counted) != Sent::Whole) co_return;
  boost::system::error_code ignored;
  socket.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  co_await reader.drain();
}

}  // namespace

Task<void> serve(boost::asio::ip::tcp::socket socket, Shared& shared) {
  RequestReader reader(socket, shared.limits);
  ReplyWriter writer(socket);
  for (;;) {
    auto head = co_await reader.read();
    if (!head) {
      if (head.error().kind != ErrorKind::Cancelled)
        co_await reject(head.error(), reader, writer, socket, shared.in_flight);
      co_return;
    }
    InFlight in_flight(shared.in_flight);
    head->request.in_flight = shared.in_flight;
    const LoopbackReply reply = ask_handler(shared.handler, head->request);
    const auto with_body = head->request.method == "HEAD" ? WithBody::No : WithBody::Yes;
    const auto keep_alive = head->keep_alive ? KeepAlive::Yes : KeepAlive::No;
    const Sent sent = co_await writer.send(reply, keep_alive, with_body, in_flight);
    if (sent == Sent::Stalled) co_await reader.drain();
    if (sent != Sent::Whole || keep_alive == KeepAlive::No) co_return;
  }
}

}  // namespace personascope::http::loopback
