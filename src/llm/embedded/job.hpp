// One request to the embedded model, in tokens.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "core/reply.hpp"
#include "core/request.hpp"
#include "llm/embedded/prefix_cache.hpp"

namespace personascope::llm::embedded {

struct Job {
  // The prompt and, if the likelihood of a text is asked for, that text from `scored_from` on.
  std::vector<Token> tokens;
  std::optional<std::size_t> scored_from;
  // If not empty, only how likely each label is: the first tokens that each may have.
  std::vector<std::vector<Token>> labels;

  // For a generated answer.
  core::Sampling sampling;
  std::uint64_t seed = 0;
  std::string grammar;
  std::int64_t top_logprobs = 0;

  TimePoint deadline = TimePoint::max();
  std::atomic<bool> is_cancelled = false;

  // `on_text` is called on a thread of the batcher's, one call after the other; `done` on the
  // batcher's thread, exactly once, last.
  std::function<void(std::string_view)> on_text;
  std::function<void(Result<core::Reply>, std::vector<Token> answer)> done;

  // The tokens that may be taken from another request with the same beginning: the one before what
  // is to be read must be computed.
  std::span<const Token> shareable() const {
    return std::span(tokens).first(scored_from.value_or(tokens.size()));
  }
};

}  // namespace personascope::llm::embedded
