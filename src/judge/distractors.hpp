// Which personas an answer's own is compared with: some that resemble it, and some that do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace personascope::judge {

struct DistractorOptions {
  std::size_t near = 3;  // those that share the most words with the persona
  std::size_t far = 4;   // drawn by seed from the half that shares the fewest
  std::uint64_t seed = 0;
};

// For every persona text, the places of its candidates: itself first, then the near ones, nearest
// first, then the far ones. Fewer where there are not enough; a persona with the same text is never
// a candidate, since the two cannot be distinguished. Ties are broken by the seed, so the choice
// depends on the texts and the seed alone. Takes about .1 s for 1,000 personas and grows with their
// square.
std::vector<std::vector<std::size_t>> choose_distractors(std::span<const std::string> personas,
                                                         const DistractorOptions& options = {});

}  // namespace personascope::judge
