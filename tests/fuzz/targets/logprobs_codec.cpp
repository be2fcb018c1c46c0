// Log-probabilities as they lie in the database.
#include "store/sqlite/logprobs_codec.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(logprobs_codec, bytes) {
  const auto tokens = store::parse_logprobs(bytes);
  if (fuzz::succeeds(tokens))
    fuzz::require(store::render_logprobs(*tokens) == bytes, "what reads renders to the same bytes");
}
