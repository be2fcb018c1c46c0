// One HTTP client for the whole program: libcurl's multi interface on the event loop's sockets.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"
#include "sched/cancel.hpp"
#include "sched/loop.hpp"

namespace personascope::http {

struct Header {
  std::string name;
  std::string value;
};

struct Timeouts {
  milliseconds connect{15'000};
  milliseconds idle{60'000};    // silence after the first byte of the answer
  milliseconds total{600'000};  // the whole exchange
};

struct Request {
  std::string method = "POST";
  std::string url;
  std::vector<Header> headers;
  std::string body;
  Timeouts timeouts;
  std::size_t max_body = 64u << 20;
  // Redacted from everything that comes back: a server may echo what it was sent.
  std::vector<Secret> secrets;
  // If set, gets the body of a 2xx answer piece by piece as it arrives, redacted too, besides
  // Response::body.
  std::function<void(std::string_view)> on_data;
  // If set, is called before the first piece, with the status.
  std::function<void(int status, const std::vector<Header>& headers)> on_head;
  // False for what may be large: a 2xx body is then only in on_data, and max_body still holds.
  bool keep_body = true;
};

struct Response {
  int status = 0;
  std::vector<Header> headers;  // names in lower case
  std::string body;
};

// The header's value; `name` in lower case.
std::optional<std::string_view> find_header(const Response& response, std::string_view name);

struct ClientOptions {
  std::size_t idle_connections = 1024;  // kept open for re-use
};

// Used on the loop's thread only.
class Client {
 public:
  explicit Client(sched::Loop& loop, const ClientOptions& options = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Sends and waits for the complete answer with any status. Fails as Unreachable (no connection:
  // name, address or certificate), Transient (cut off), Timeout, TooLarge, Cancelled, or
  // Misconfigured (not an http or https URL, a header with a line break: nothing was sent). Does
  // not follow redirects: a key must not be sent to another host. The client must outlive it.
  Task<Result<Response>> send(Request request, sched::Cancel* cancel = nullptr);

  sched::Loop& loop();

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

// The version of libcurl and its TLS library, for `doctor`.
std::string library_version();

}  // namespace personascope::http
