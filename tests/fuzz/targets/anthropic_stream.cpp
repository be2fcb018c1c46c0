// An answer that Anthropic streams.
#include "llm/providers/anthropic.hpp"
#include "stream_property.hpp"

using namespace personascope;

FUZZ_TARGET(anthropic_stream, bytes) {
  fuzz::check_stream(*llm::make_anthropic_wire(), bytes);
}
