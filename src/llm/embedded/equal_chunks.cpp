#include "llm/embedded/equal_chunks.hpp"

#include <algorithm>

namespace personascope::llm::embedded {

EqualChunks find_equal_chunks(std::span<const PromptLeft> prompts, int room) {
  EqualChunks best;
  int most = 0;
  for (std::size_t first = 0; first < prompts.size(); ++first) {
    int shortest = room;
    for (std::size_t last = first; last < prompts.size(); ++last) {
      const bool is_neighbour =
          last == first || prompts[last].sequence == prompts[last - 1].sequence + 1;
      const int count = static_cast<int>(last - first) + 1;
      if (!is_neighbour || count > room) break;
      shortest = std::min(shortest, prompts[last].tokens);
      const int tokens = std::min(shortest, room / count);
      if (tokens * count <= most) continue;
      most = tokens * count;
      best = {first, last - first + 1, tokens};
    }
  }
  return best;
}

}  // namespace personascope::llm::embedded
