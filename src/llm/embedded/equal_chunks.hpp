// Which prompts a GPU computes together: sequences that are neighbours, the same number of tokens
// of each.
#pragma once

#include <cstddef>
#include <span>

namespace personascope::llm::embedded {

// A sequence that has tokens of its prompt left to compute.
struct PromptLeft {
  int sequence = 0;
  int tokens = 0;  // at least 1
};

struct EqualChunks {
  std::size_t first = 0;  // of the prompts that were given
  std::size_t count = 0;
  int tokens = 0;  // of each
};

// llama.cpp computes a batch in one go only if its sequences are neighbours with the same number of
// tokens each. Gives the choice with the most tokens, at most `room` together. `prompts` is sorted
// by sequence and not empty; `room` is at least 1.
EqualChunks find_equal_chunks(std::span<const PromptLeft> prompts, int room);

}  // namespace personascope::llm::embedded
