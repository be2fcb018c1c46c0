#include "eval/personagym/refusal.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::size_t kOpening = 300;  // where an answer that declines says so

// In the answer's first sentences.
constexpr std::array kDeclines = std::to_array<std::string_view>({
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
    "take on this role",
    "take on this persona",
    "continue with this persona",
    "speak as this individual",
    "the user wants me to",
    "request has been declined",
    "nicht in die rolle",
    "jouer ce personnage",
    "assumir esta personagem",
    "fingere di essere un'altra persona",
    "\u043d\u0435 \u043c\u043e\u0433\u0443 \u0432\u044b\u043f\u043e\u043b\u043d\u0438\u0442\u044c "
    "\u044d\u0442\u0443 \u043f\u0440\u043e\u0441\u044c\u0431\u0443",
    "\u65e0\u6cd5\u626e\u6f14",
    "\u304a\u5fdc\u3048\u3067\u304d\u307e\u305b\u3093",
});

// In the same place, unless the persona is a machine.
constexpr std::array kMachines = std::to_array<std::string_view>({
    "as an ai",
    "i am an ai",
    "i'm an ai",
    "i'm just an ai",
    "i am just an ai",
});

// In the same place, for any persona: no persona describes itself in these words.
constexpr std::array kModels = std::to_array<std::string_view>({
    "as a language model",
    "as a large language model",
    "ai language model",
    "just a language model",
    "ki-assistent",
    "modelo de lenguaje",
    "mod\u00e8le de langage",
    "modelem j\u0119zykowym",
    "\u0646\u0645\u0648\u0630\u062c \u0644\u063a\u0648\u064a",
});

// What an answer says that leaves the role for a moment and then plays it. It breaks character and
// does not decline; the judges score it.
constexpr std::array kGoesOn = std::to_array<std::string_view>({
    "that said",
    "i can imagine",
    "would say",
    "might say",
    "would likely say",
    "he'd likely say",
    "she'd likely say",
    "they'd likely say",
    "in the role",
    "if i were",
    "speaking as",
});

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

// Without what stands in quotation marks: a persona may well say what a program would. Apostrophes
// stand between letters and open nothing.
std::string without_quotations(std::string_view text) {
  std::string kept;
  char open = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool after_letter = i > 0 && is_letter(text[i - 1]);
    const bool before_letter = i + 1 < text.size() && is_letter(text[i + 1]);
    if (open != '\0') {
      if (c == open && !before_letter) open = '\0';
    } else if (c == '"' || (c == '\'' && !after_letter)) {
      open = c;
    } else {
      kept += c;
    }
  }
  // One that is never closed was none.
  return open == '\0' ? kept : std::string(text);
}

}  // namespace

bool declines_role(std::string_view answer, std::string_view persona) {
  const std::string whole = fold(trim(answer));
  const std::string opening = without_quotations(whole).substr(0, kOpening);
  std::string_view after;
  const auto has_words = [&](const std::string_view words) {
    return find_words(opening, words, after);
  };
  if (std::ranges::any_of(kDeclines, has_words)) return true;
  if (std::ranges::any_of(kGoesOn, has_words)) return false;
  // One that begins with the persona's words in quotation marks goes on too.
  if (whole.starts_with('\'') || whole.starts_with('"')) return false;
  if (std::ranges::any_of(kModels, has_words)) return true;
  if (is_machine(persona)) return false;
  return std::ranges::any_of(kMachines, [&](std::string_view words) {
    return find_words(opening, words, after) && continues_as_machine(after);
  });
}

}  // namespace personascope::eval::personagym
