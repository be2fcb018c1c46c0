// What is known of families of models where they take other requests than the rest of their
// provider's models. By the name alone: nothing is asked.
#pragma once

#include <string_view>

#include "base/json.hpp"
#include "core/request.hpp"

namespace personascope::llm {

struct ModelTraits {
  bool thinks = true;    // may be told how much to think, where its API has a way
  bool sampling = true;  // takes temperature, top_p and the penalties; else they are left out
  bool stop = true;      // takes stop sequences
  bool logprobs = true;
  bool system = true;           // takes system messages; else they are sent as the user's
  bool one_randomness = false;  // takes temperature or top_p, not both
  bool adaptive = false;        // Claude: is told an effort
  bool budget = true;           // Claude: takes a number of tokens to think
  // OpenAI's reasoning models: call the limit max_completion_tokens.
  bool completion_limit = false;
};

// `model` may carry its maker and a region: "openai/o3-mini", "us.anthropic.claude-opus-4-7-v1:0".
ModelTraits traits_of(std::string_view model);

// The members that tell a Claude how much to think: "thinking", and "output_config" if it is told
// an effort. Empty if the request asks for no thinking. With them the answer's limit must be raised
// by thinking_room().
Json make_claude_thinking(const core::Request& request, const ModelTraits& traits);

}  // namespace personascope::llm
