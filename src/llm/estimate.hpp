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
// max_tokens is taken to write up to 4,096; only one with it holds a budget strictly.
CallSize estimate_size(const core::Request& request);

// What the call will likely take in all, for limits of tokens a minute: few answers are as long as
// they may be.
std::int64_t likely_tokens(const CallSize& size);

}  // namespace personascope::llm
