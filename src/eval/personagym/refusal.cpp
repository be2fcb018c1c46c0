#include "eval/personagym/refusal.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::size_t kOpening = 300;  // where an answer that declines says so

// In the answer's first sentences.
constexpr std::array<std::string_view, 13> kDeclines = {
    "as a language model",
    "as a large language model",
    "ai language model",
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

// Likewise, unless the persona is one.
constexpr std::array<std::string_view, 5> kMachines = {
    "as an ai", "i am an ai", "i'm an ai", "i'm just an ai", "i am just an ai",
};

// What may follow them; "as an AI researcher" is a person.
constexpr std::array<std::string_view, 17> kMachineWords = {
    "language",  "model",   "assistant", "system", "chatbot", "program",
    "created",   "trained", "made",      "and",    "so",      "without",
    "developed", "of ",     "in ",       "that ",  "who "};

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

// Whether the words stand there, not as part of a longer one; `after` gets what follows.
bool find_words(std::string_view text, std::string_view words, std::string_view& after) {
  for (std::size_t at = text.find(words); at != std::string_view::npos;
       at = text.find(words, at + 1)) {
    after = text.substr(at + words.size());
    if ((at == 0 || !is_letter(text[at - 1])) && (after.empty() || !is_letter(after.front())))
      return true;
  }
  return false;
}

bool continues_as_machine(std::string_view after) {
  if (after.empty() || after.front() != ' ') return true;  // "as an AI, I …"
  after = trim(after);
  return after.starts_with("i ") || after.starts_with("i'") ||
         std::ranges::any_of(kMachineWords,
                             [&](std::string_view word) { return after.starts_with(word); });
}

bool is_machine(std::string_view persona) {
  const std::string who = lower(persona);
  std::string_view after;
  return find_words(who, "robot", after) || find_words(who, "android", after) ||
         find_words(who, "chatbot", after) ||
         (find_words(who, "ai", after) && continues_as_machine(after));
}

// Typographic apostrophes as plain ones.
std::string fold(std::string_view text) {
  return replace_all(lower(text), "\xE2\x80\x99", "'");
}

}  // namespace

bool declines_role(std::string_view answer, std::string_view persona) {
  const std::string opening = fold(trim(answer).substr(0, kOpening));
  std::string_view after;
  for (const std::string_view words : kDeclines)
    if (find_words(opening, words, after)) return true;
  if (is_machine(persona)) return false;
  return std::ranges::any_of(kMachines, [&](std::string_view words) {
    return find_words(opening, words, after) && continues_as_machine(after);
  });
}

}  // namespace personascope::eval::personagym
