#include "eval/personagym/line_up.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "judge/distractors.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::size_t kGroup = 4;

// Takes one out of `left` by seed.
std::size_t draw(std::vector<std::size_t>& left, Random& random) {
  const std::size_t at = static_cast<std::size_t>(random.below(left.size()));
  const std::size_t place = left[at];
  left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  return place;
}

}  // namespace

std::vector<std::vector<std::size_t>> make_line_ups(const std::vector<std::string>& texts,
                                                    std::size_t own, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> groups;
  if (own < kGroup) {
    groups.emplace_back();
    for (std::size_t i = 0; i < std::min(std::max(own, kGroup), texts.size()); ++i)
      groups.back().push_back(i);
  } else {
    const std::span<const std::string> run(texts.data(), own);
    const auto nearest = judge::choose_distractors(run, {.near = own - 1, .far = 0, .seed = seed});
    Random random(seed, "line-up");
    std::vector<std::size_t> left(own);
    for (std::size_t i = 0; i < own; ++i) left[i] = i;
    while (!left.empty()) {
      std::vector<std::size_t> group{draw(left, random)};
      for (const std::size_t near : nearest[group.front()]) {
        const auto found = std::ranges::find(left, near);
        if (found == left.end()) continue;
        group.push_back(near);
        left.erase(found);
        break;
      }
      while (group.size() < kGroup && !left.empty()) group.push_back(draw(left, random));
      // What is left over joins the group before.
      if (group.size() < kGroup && !groups.empty())
        groups.back().insert(groups.back().end(), group.begin(), group.end());
      else
        groups.push_back(std::move(group));
    }
  }
  std::vector<std::vector<std::size_t>> line_ups(own);
  for (const std::vector<std::size_t>& group : groups)
    for (const std::size_t member : group)
      if (member < own) line_ups[member] = group;
  return line_ups;
}

}  // namespace personascope::eval::personagym
