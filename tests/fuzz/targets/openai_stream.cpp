// An answer that OpenAI streams.
#include "llm/providers/openai.hpp"
#include "stream_property.hpp"

using namespace personascope;

FUZZ_TARGET(openai_stream, bytes) {
  fuzz::check_stream(*llm::make_openai_wire({}), bytes);
}
