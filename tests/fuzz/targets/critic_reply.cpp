// What a critic of the bench writes.
#include "eval/persona_bench/critic.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(critic_reply, bytes) {
  core::Reply reply;
  reply.text = bytes;
  const core::Verdict verdict = eval::persona_bench::read_critique(reply);
  fuzz::require(parse_json(render_json(core::to_json(verdict))).has_value(),
                "a verdict is written as JSON");
}
