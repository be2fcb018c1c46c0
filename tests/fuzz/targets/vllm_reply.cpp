// vLLM's answers to /tokenize and to a request for the likelihood of a text.
#include "llm/providers/vllm.hpp"

#include <cmath>

#include "reply_property.hpp"

using namespace personascope;

FUZZ_TARGET(vllm_reply, bytes) {
  const auto [first, second] = fuzz::cut(bytes);
  const auto tokens = parse_json(first);
  if (!tokens) return;
  const auto read = llm::read_vllm_tokens(*tokens);
  if (!fuzz::succeeds(read) || read->ids.size() > 1000) return;
  const auto scores = parse_json(second);
  if (!scores) return;
  for (const std::size_t count : {std::size_t{0}, read->ids.size() / 2, read->ids.size()}) {
    const auto reply = llm::read_vllm_scores(*scores, read->ids, count, "a text \u00e9");
    if (!fuzz::check_reply(reply)) continue;
    fuzz::require(reply->logprobs.size() == count, "every token has a likelihood");
    for (const core::TokenLogprobs& token : reply->logprobs)
      fuzz::require(std::isfinite(token.chosen.logprob) && token.chosen.logprob <= 0,
                    "a likelihood is one");
  }
}
