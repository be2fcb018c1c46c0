// For the client's tests: a loop, a client and a loopback server, and requests one after another.
#pragma once

#include <string>
#include <utility>

#include "http/client.hpp"
#include "http/loopback_server.hpp"

namespace personascope::http {

struct Exchange {
  explicit Exchange(LoopbackHandler handler)
      : server(LoopbackServer::start(std::move(handler)).value()) {}
  explicit Exchange(LoopbackReply reply)
      : Exchange([reply = std::move(reply)](const LoopbackRequest&) { return reply; }) {}

  Request make_request(const std::string& target = "/") const {
    Request request;
    request.url = server.base_url() + target;
    request.body = "{}";
    return request;
  }

  Result<Response> send(Request request, sched::Cancel* cancel = nullptr) {
    return sched::run_to_end(loop, client.send(std::move(request), cancel));
  }
  Result<Response> send() { return send(make_request()); }

  LoopbackServer server;
  sched::Loop loop;
  Client client{loop};
};

}  // namespace personascope::http
