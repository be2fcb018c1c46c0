#include "eval/persona_bench/quotes.hpp"

#include <algorithm>

namespace personascope::eval::persona_bench {
namespace {

constexpr std::size_t kManyWords = 4;
constexpr std::size_t kFewestPersonas = 50;  // below, nobody can say what is rare
constexpr std::size_t kRare = 50;            // one in so many

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// Lower case, with one blank before and after every word and nothing else between them.
std::string make_words(std::string_view text) {
  std::string words = " ";
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (is_letter(c) || is_digit)
      words += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (words.back() != ' ')
      words += ' ';
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

std::size_t count_folded(std::string_view words) {
  return static_cast<std::size_t>(std::ranges::count(words, ' ')) - 1;
}

bool has_words(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

QuoteFinder::QuoteFinder(const std::vector<Persona>& personas) : personas_(personas.size()) {
  for (const Persona& persona : personas) {
    std::vector<std::string> own;
    for (const auto& [name, value] : persona.attributes) own.push_back(make_words(value));
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
    for (std::string& words : own) ++owners_[std::move(words)];
  }
}

bool QuoteFinder::is_distinctive(const std::string& words) const {
  const auto letters = static_cast<std::size_t>(std::ranges::count_if(words, is_letter));
  const std::size_t count = count_folded(words);
  if (letters < 6) return false;
  if (count >= kManyWords) return true;
  const auto owners = owners_.find(words);
  return personas_ >= kFewestPersonas && owners != owners_.end() &&
         owners->second * kRare <= personas_;
}

std::vector<std::string> QuoteFinder::find(const Persona& persona,
                                           const std::vector<std::string>& without,
                                           std::string_view question,
                                           std::string_view answer) const {
  std::vector<std::string> quoted;
  const std::string said = make_words(answer);
  const std::string asked = make_words(question);
  for (const auto& [name, value] : persona.attributes) {
    if (std::ranges::find(without, name) != without.end()) continue;
    const std::string words = make_words(value);
    if (!is_distinctive(words)) continue;
    // Its first word is often a verb, which changes with the person.
    std::string_view wanted = words;
    if (count_folded(words) > kManyWords) wanted.remove_prefix(words.find(' ', 1));
    if (has_words(said, wanted) && !has_words(asked, wanted)) quoted.push_back(name);
  }
  return quoted;
}

}  // namespace personascope::eval::persona_bench
