// Canaries: answers that deserve nothing, to see whether a judge can be fooled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rubric.hpp"

namespace personascope::judge {

struct Canary {
  std::string name;    // "empty", "colon", "thought", "verdict"
  std::string answer;  // what stands where the judged text would
};

inline constexpr std::size_t kCanaryKinds = 4;

// An empty answer, ":", "Thought process:", and one that holds a verdict sentence with the best
// score in the rubric's own form.
std::vector<Canary> make_canaries(const Rubric& rubric);

// Whether the canary of that name says nothing at all, so that a judge's verdict on it is its
// prior; the one that holds a verdict sentence does say something.
bool is_content_free(std::string_view canary);

// Which of `items` are asked about with canaries: `count` of them at most, by seed, in order.
std::vector<std::size_t> choose_canary_items(std::size_t items, std::size_t count,
                                             std::uint64_t seed = 0);

}  // namespace personascope::judge
