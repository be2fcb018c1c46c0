// An answer of Bedrock's API.
#include "llm/providers/bedrock.hpp"
#include "reply_property.hpp"

using namespace personascope;

FUZZ_TARGET(bedrock_reply, bytes) {
  const auto value = parse_json(make_utf8(bytes));
  if (value) fuzz::check_reply(llm::make_bedrock_wire()->read_reply(*value));
}
