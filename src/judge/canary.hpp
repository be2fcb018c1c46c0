// Canaries: worthless test answers, to which a sound judge gives the lowest score.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rubric.hpp"

namespace personascope::judge {

struct Canary {
  std::string name;    // "empty", "colon", "thought", "verdict"
  std::string answer;  // the text that is judged
};

inline constexpr std::size_t kCanaryKinds = 4;

// An empty answer, ":", "Thought process:", and one that holds a verdict sentence with the best
// score in the rubric's own form.
std::vector<Canary> make_canaries(const Rubric& rubric);

// Whether the canary of that name has no content, so that a judge's verdict on it is its prior; the
// one with a verdict sentence has content.
bool is_content_free(std::string_view canary);

// Which of `items` are asked about with canaries: `count` of them at most, by seed, in order.
std::vector<std::size_t> choose_canary_items(std::size_t items, std::size_t count,
                                             std::uint64_t seed = 0);

}  // namespace personascope::judge
