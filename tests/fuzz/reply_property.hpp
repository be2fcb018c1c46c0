// What holds for every reply, whichever reader made it.
#pragma once

#include "core/reply.hpp"
#include "eval/batch/batch_line.hpp"
#include "property.hpp"

namespace personascope::fuzz {

inline void require_sound(const core::Reply& reply) {
  require(parse_json(render_json(core::to_json(reply))).has_value(), "a reply is written as JSON");
  const auto line = parse_json(eval::batch::render_answer_line(R"("id")", reply));
  require(line && line->at("text") == reply.text, "an answer's line is JSON with its text");
}

// Of replies from outside, whose counts are added up.
inline void require_believable(const core::Usage& usage) {
  for (const auto& count : {usage.input_tokens, usage.output_tokens, usage.cached_input_tokens})
    require(!count || (*count >= 0 && *count < 10'000'000'000'000), "token counts are believable");
}

// Returns whether there is a reply.
inline bool check_reply(const Result<core::Reply>& reply) {
  if (!succeeds(reply)) return false;
  require_sound(*reply);
  require_believable(reply->usage);
  return true;
}

}  // namespace personascope::fuzz
