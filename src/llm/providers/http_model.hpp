// A model behind an HTTP API: a wire, an address, and credentials.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/secret.hpp"
#include "http/client.hpp"
#include "llm/model.hpp"
#include "llm/providers/wire.hpp"

namespace personascope::llm {

// Adds what proves the right to use the API: a header, or a signature over the whole request. What
// it adds as `secrets` never comes back in an answer or an error.
using Authorize = std::function<Result<void>(http::Request&)>;

// `header: prefix + key`, or nothing at all if the key is empty.
Authorize make_key_header(std::string header, std::string prefix, Secret key);

struct HttpModelSetup {
  Endpoint endpoint;
  std::string address;  // the base URL as given, with credentials if it has any
  Features features;
  std::vector<http::Header> headers;  // beyond content type and authorization
  Authorize authorize;
  http::Timeouts timeouts;
};

std::unique_ptr<Model> make_http_model(http::Client& client, std::unique_ptr<Wire> wire,
                                       HttpModelSetup setup);

// For what a wire does not cover: the body as a message to that URL, with the right to use it.
Result<http::Request> make_message(const HttpModelSetup& setup, std::string url, const Json& body);

}  // namespace personascope::llm
