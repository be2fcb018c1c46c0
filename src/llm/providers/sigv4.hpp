// AWS Signature Version 4: the headers that prove who sends a request. Pure; the time is the
// caller's.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.hpp"
#include "http/client.hpp"

namespace personascope::llm {

struct AwsCredentials {
  std::string access_key;
  Secret secret_key;
  Secret session_token;  // empty for keys that do not expire
};

// What a signature holds for.
struct SigningScope {
  std::string region;   // "us-east-1"
  std::string service;  // "bedrock"
};

// The headers to add: X-Amz-Date, X-Amz-Security-Token if there is a session, and Authorization.
// The signature covers method, URL, body and the headers that `request` has now; it must have none
// of the three yet. For every service but S3, whose paths are encoded once only.
std::vector<http::Header> sign(const http::Request& request, const AwsCredentials& credentials,
                               const SigningScope& scope, std::chrono::system_clock::time_point at);

// Every byte but letters, digits and -._~ as %XX: a value as one segment of a path or part of a
// query.
std::string percent_encode(std::string_view text);

// The text that `sign` hashes, for the headers that `request` has now. Exposed for tests.
std::string render_canonical_request(const http::Request& request);

}  // namespace personascope::llm
