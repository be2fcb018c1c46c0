// The chat completions API of OpenAI, which most other providers and servers speak too.
#pragma once

#include <memory>
#include <string>

#include "llm/providers/wire.hpp"

namespace personascope::llm {

// Where the servers that speak it differ.
struct OpenAiDialect {
  std::string path = "/chat/completions";
  std::string max_tokens_field = "max_tokens";
  bool output_schema = true;  // understands response_format json_schema
  bool logprobs = true;
  bool extra_sampling = false;  // understands top_k and min_p
  std::string seed_field = "seed";
  bool stream_options = true;  // must be asked for the usage of a stream
};

std::unique_ptr<Wire> make_openai_wire(OpenAiDialect dialect);

}  // namespace personascope::llm
