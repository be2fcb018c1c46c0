// For tests: requests for the imitated provider, in the forms of three APIs, and a look into its
// replies.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/json.hpp"
#include "http/loopback_provider.hpp"

namespace personascope::http {

inline constexpr const char* kOpenAi = "/v1/chat/completions";
inline constexpr const char* kAnthropic = "/v1/messages";
inline constexpr const char* kBedrock = "/model/us.amazon.nova%3A0/converse";

// A body that all three understand.
inline Json make_body(std::string_view prompt) {
  return {{"model", "m"},
          {"max_tokens", 9},
          {"messages",
           {{{"role", "user"}, {"content", Json::array({{{"type", "text"}, {"text", prompt}}})}}}}};
}

inline LoopbackRequest make_request(std::string target, const Json& body,
                                    LoopbackHeaders headers = {}) {
  return {"POST", std::move(target), std::move(headers), render_json(body)};
}

// What a new provider answers.
inline LoopbackReply post(const char* target, const Json& body) {
  LoopbackProvider provider;
  return provider.answer(make_request(target, body));
}

inline LoopbackReply ask(const char* target, std::string_view prompt) {
  return post(target, make_body(prompt));
}

inline Json read(const LoopbackReply& reply) {
  return parse_json(reply.body).value();
}

inline std::string header_of(const LoopbackReply& reply, std::string_view name) {
  for (const auto& [key, value] : reply.headers)
    if (key == name) return value;
  return {};
}

}  // namespace personascope::http
