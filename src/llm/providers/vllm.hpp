// vLLM's server: the chat API, and besides how likely a given text is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llm/providers/http_model.hpp"

namespace personascope::llm {

// Generated answers go over the wire. A request's continuation is read as the model would have
// written it: the server cuts prompt and text into tokens (/tokenize, beside /v1), each for itself,
// so that no token straddles the border; then it scores the tokens of both (prompt_logprobs of
// /v1/completions), and the text's are kept.
std::unique_ptr<Model> make_vllm_model(http::Client& client, std::unique_ptr<Wire> wire,
                                       HttpModelSetup setup);

struct VllmTokens {
  std::vector<std::int64_t> ids;
  std::optional<std::int64_t> longest;  // what the model holds, prompt and answer together
};

// An answer of /tokenize; Unparsable if it has no list of tokens.
Result<VllmTokens> read_vllm_tokens(const Json& body);

// The log-probabilities of the last `text_tokens` of the `tokens` that were sent. Fails as
// Unsupported if the server gave none, as Unparsable if they belong to other tokens or are no
// log-probabilities, and as Invalid if one is minus infinity.
Result<core::Reply> read_vllm_scores(const Json& body, const std::vector<std::int64_t>& tokens,
                                     std::size_t text_tokens, const std::string& text);

}  // namespace personascope::llm
