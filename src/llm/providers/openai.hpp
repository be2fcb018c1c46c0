// The chat completions API of OpenAI, which most other providers and servers speak too.
#pragma once

#include <memory>
#include <string>

#include "llm/providers/wire.hpp"

namespace personascope::llm {

// How an API is told how much a model may think.
enum class EffortField {
  None,          // in no way
  Plain,         // reasoning_effort
  Reasoning,     // OpenRouter: reasoning, with an effort or max_tokens
  ChatTemplate,  // llama-server: chat_template_kwargs
};

// Where the servers that speak it differ.
struct OpenAiDialect {
  std::string path = "/chat/completions";
  std::string max_tokens_field = "max_tokens";
  bool output_schema = true;  // understands response_format json_schema
  bool logprobs = true;
  bool extra_sampling = false;  // understands top_k and min_p
  std::string seed_field = "seed";
  bool stream_options = true;  // must be asked for the usage of a stream
  EffortField effort = EffortField::None;
};

std::unique_ptr<Wire> make_openai_wire(OpenAiDialect dialect);

}  // namespace personascope::llm
