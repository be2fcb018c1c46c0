// An answer of OpenAI's API.
#include "llm/providers/openai.hpp"
#include "reply_property.hpp"

using namespace personascope;

FUZZ_TARGET(openai_reply, bytes) {
  const auto value = parse_json(make_utf8(bytes));
  if (value) fuzz::check_reply(llm::make_openai_wire({})->read_reply(*value));
}
