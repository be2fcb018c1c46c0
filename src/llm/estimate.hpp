// How large a call will be, before it is sent: for budgets and for token limits a minute.
#pragma once

#include <cstdint>

#include "core/request.hpp"

namespace personascope::llm {

struct CallSize {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;  // the most it may write
};

// No tokenizer: three bytes a token, which over-counts English by about a third. A request without
// max_tokens is taken to write up to 1,024.
CallSize estimate_size(const core::Request& request);

}  // namespace personascope::llm
