// What a reasoning model writes before its answer: how much room it gets, and how it is kept apart
// from the answer where the server mixes the two.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/reply.hpp"
#include "core/request.hpp"

namespace personascope::llm {

// How many tokens the request gives to thinking: its budget, else what its effort stands for, else
// 0; a small budget counts as 1,024. They come on top of the answer's limit, since providers count
// both together.
std::int64_t thinking_room(const core::Request& request);

// Whether the request asks for thinking: by a budget above 0 or an effort other than "none".
bool wants_thinking(const core::Request& request);

// Says how much to think where the request does not; nothing is thought where likelihoods are read.
void add_thinking(core::Request& request, const core::Thinking& wanted);

// Moves what stands between <think> and </think> at the start of the text to `thinking`, and its
// tokens out of the log-probabilities. Without the closing mark all of the text is thinking.
// Without the opening mark, which some prompts end with, it is the text before the first closing
// mark.
void split_thinking(core::Reply& reply);

// The same for a text that arrives in pieces: lets the answer through. A text without the opening
// mark is let through as it is.
class ThinkingFilter {
 public:
  // What of the answer can be shown by now.
  std::string feed(std::string_view piece);

 private:
  enum class State { Start, Thinking, Gap, Answer };
  State state_ = State::Start;
  std::string held_;
};

}  // namespace personascope::llm
