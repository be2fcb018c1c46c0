#include "eval/personagym/refusal.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::size_t kOpening = 300;  // where an answer that declines says so

// In the answer's first sentences.
constexpr std::array<std::string_view, 16> kDeclines = {
    "as an ai",
    "as a language model",
    "as a large language model",
    "i am an ai",
    "i'm an ai",
    "i'm just an ai",
    "i can't assist with that",
    "i cannot assist with that",
    "i can't help with that request",
    "i cannot fulfill",
    "i can't fulfill",
    "i can't roleplay",
    "i can't role-play",
    "i cannot adopt the identity",
    "i don't feel comfortable pretending",
    "i'm not able to take on the persona",
};

// Typographic apostrophes as plain ones.
std::string fold(std::string_view text) {
  return replace_all(lower(text), "\xE2\x80\x99", "'");
}

}  // namespace

bool declines_role(std::string_view answer) {
  const std::string opening = fold(trim(answer).substr(0, kOpening));
  return std::ranges::any_of(kDeclines, [&](std::string_view words) {
    const std::size_t at = opening.find(words);
    if (at == std::string::npos) return false;
    // "as an aid", "i'm an aim": a longer word.
    const std::size_t end = at + words.size();
    return end >= opening.size() || opening[end] < 'a' || opening[end] > 'z';
  });
}

}  // namespace personascope::eval::personagym
