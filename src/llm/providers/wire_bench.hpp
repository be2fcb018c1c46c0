// For tests of wires: requests written as JSON, and streams cut into pieces.
#pragma once

#include <string>
#include <string_view>

#include "llm/providers/sse.hpp"
#include "llm/providers/wire.hpp"

namespace personascope::llm {

// The body for an OpenAI-style chat request, or the error's kind and message.
inline std::string render_body(const Wire& wire, std::string_view request_text,
                               Streaming streaming = Streaming::No) {
  const auto json = parse_json(request_text);
  if (!json) return "test: " + json.error().message;
  const auto request = core::parse_request(*json, {});
  if (!request) return "test: " + request.error().message;
  const auto body = wire.make_body(*request, "m", streaming);
  if (body) return render_json(*body);
  return std::string(name_of(body.error().kind)) + ": " + body.error().message;
}

// The reply in a whole answer, as JSON, or the error's kind and message.
inline std::string render_outcome(const Result<core::Reply>& reply) {
  if (reply) return render_json(core::to_json(*reply));
  return std::string(name_of(reply.error().kind)) + ": " + reply.error().message;
}

inline std::string read_body(const Wire& wire, std::string_view body) {
  return render_outcome(wire.read_reply(parse_json(body).value()));
}

// The reply in a stream that arrives in two pieces, cut at `cut`; `text` gets what is handed on.
inline std::string read_stream(const Wire& wire, std::string_view stream, std::size_t cut,
                               std::string& text) {
  const auto reader = wire.make_stream_reader();
  SseReader events;
  Result<void> state;
  const auto on_data = [&](std::string_view data) {
    if (!state || data == "[DONE]") return;
    state =
        reader->read(parse_json(data).value(), [&text](std::string_view piece) { text += piece; });
  };
  events.feed(stream.substr(0, cut), on_data);
  events.feed(stream.substr(cut), on_data);
  if (!state) return std::string(name_of(state.error().kind)) + ": " + state.error().message;
  return render_outcome(reader->finish());
}

}  // namespace personascope::llm
