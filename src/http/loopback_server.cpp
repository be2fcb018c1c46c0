#include "http/loopback_server.hpp"

#include "base/task.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <thread>

#include "http/loopback/connection.hpp"

namespace personascope::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr milliseconds kAcceptPause{10};

Task<void> accept_all(tcp::acceptor acceptor, loopback::Shared& shared) {
  asio::steady_timer timer(acceptor.get_executor());
  for (;;) {
    boost::system::error_code error;
    tcp::socket socket =
        co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (error) {  // most likely out of file descriptors, which pass when connections close
      timer.expires_after(kAcceptPause);
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    socket.set_option(tcp::no_delay(true), error);
    asio::co_spawn(acceptor.get_executor(), loopback::serve(std::move(socket), shared),
                   asio::detached);
  }
}

}  // namespace

struct LoopbackServer::Running {
  loopback::Shared shared;
  // After `shared`: destroying the context ends the coroutines that borrow it.
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  std::thread thread;

  ~Running() {
    context.stop();
    if (thread.joinable()) thread.join();
  }
};

Result<LoopbackServer> LoopbackServer::start(Handler handler, LoopbackOptions options) {
  auto running = std::make_unique<Running>();
  running->shared = {std::move(handler), options.limits, 0};
  try {
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), options.port);
    running->acceptor = tcp::acceptor(running->context, endpoint);
  } catch (const boost::system::system_error& error) {
    return fail(ErrorKind::Invalid, "cannot listen on 127.0.0.1:{}: {}", options.port,
                error.what());
  }
  return LoopbackServer(std::move(running));
}

LoopbackServer::LoopbackServer(std::unique_ptr<Running> running) : running_(std::move(running)) {
  port_ = running_->acceptor.local_endpoint().port();
  asio::co_spawn(running_->context, accept_all(std::move(running_->acceptor), running_->shared),
                 asio::detached);
  running_->thread = std::thread([&context = running_->context] { context.run(); });
}

LoopbackServer::LoopbackServer(LoopbackServer&&) noexcept = default;
LoopbackServer& LoopbackServer::operator=(LoopbackServer&&) noexcept = default;
LoopbackServer::~LoopbackServer() = default;

std::string LoopbackServer::base_url() const {
  return fmt::format("http://127.0.0.1:{}", port_);
}

void LoopbackServer::stop() {
  running_.reset();
}

}  // namespace personascope::http
