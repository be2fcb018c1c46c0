// An HTTP/1.1 server on 127.0.0.1 for tests and benchmarks: fast, and faulty on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "http/loopback/message.hpp"

namespace personascope::http {

struct LoopbackOptions {
  std::uint16_t port = 0;  // 0: any free one
  LoopbackLimits limits{};
};

class LoopbackServer {
 public:
  using Handler = LoopbackHandler;

  // Listens and answers on a thread of its own. Fails as Invalid if the port cannot be had.
  static Result<LoopbackServer> start(Handler handler, LoopbackOptions options = {});

  LoopbackServer(LoopbackServer&&) noexcept;
  LoopbackServer& operator=(LoopbackServer&&) noexcept;
  ~LoopbackServer();

  std::uint16_t port() const { return port_; }
  // "http://127.0.0.1:PORT", without a slash at the end.
  std::string base_url() const;

  // Closes every connection and waits for the thread; may be called again.
  void stop();

 private:
  struct Running;
  explicit LoopbackServer(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
  std::uint16_t port_ = 0;
};

}  // namespace personascope::http
