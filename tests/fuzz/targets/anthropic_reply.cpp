// An answer of Anthropic's API.
#include "llm/providers/anthropic.hpp"
#include "reply_property.hpp"

using namespace personascope;

FUZZ_TARGET(anthropic_reply, bytes) {
  const auto value = parse_json(make_utf8(bytes));
  if (value) fuzz::check_reply(llm::make_anthropic_wire()->read_reply(*value));
}
