#include "judge/scale.hpp"

#include <array>

#include "base/text.hpp"

namespace personascope::judge {
namespace {

constexpr std::array<std::string_view, 11> kNumbers{
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};

}  // namespace

Level make_level(double score, std::string label) {
  Level level;
  level.score = score;
  for (std::size_t number = 0; number < kNumbers.size(); ++number)
    if (label == std::to_string(number)) level.also.emplace_back(kNumbers[number]);
  if (lower(label) == "yes") level.also.emplace_back("true");
  if (lower(label) == "no") level.also.emplace_back("false");
  level.label = std::move(label);
  return level;
}

Scale make_number_scale(int low, int high) {
  Scale scale;
  for (int score = low; score <= high; ++score)
    scale.levels.push_back(make_level(score, std::to_string(score)));
  return scale;
}

Scale make_yes_no_scale() {
  Scale scale;
  scale.levels = {make_level(0, "no"), make_level(1, "yes")};
  return scale;
}

const Level* find_level(const Scale& scale, std::string_view word) {
  const std::string wanted = lower(word);
  for (const Level& level : scale.levels) {
    if (lower(level.label) == wanted) return &level;
    for (const std::string& other : level.also)
      if (other == wanted) return &level;
  }
  return nullptr;
}

std::string render_labels(const Scale& scale) {
  std::string text;
  for (std::size_t i = 0; i < scale.levels.size(); ++i) {
    if (i > 0) text += i + 1 == scale.levels.size() ? " or " : ", ";
    text += scale.levels[i].label;
  }
  return text;
}

}  // namespace personascope::judge
