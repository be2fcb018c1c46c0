// A streamed answer read as HttpModel reads it.
#pragma once

#include "llm/providers/sse.hpp"
#include "llm/providers/wire.hpp"
#include "reply_property.hpp"

namespace personascope::fuzz {

inline void check_stream(const llm::Wire& wire, std::string_view bytes) {
  const auto stream = wire.make_stream_reader();
  std::string heard;
  Result<void> state;
  llm::SseReader events;
  events.feed(bytes, [&](std::string_view data) {
    if (!state || data == "[DONE]") return;
    const auto value = parse_json(make_utf8(data));
    if (!value) return;
    state = stream->read(*value, [&](std::string_view text) { heard += text; });
  });
  if (!succeeds(state)) return;
  const auto reply = stream->finish();
  if (check_reply(reply)) require(reply->text == heard, "the reply is the text that was heard");
}

}  // namespace personascope::fuzz
