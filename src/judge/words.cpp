#include "judge/words.hpp"

#include "base/text.hpp"
#include "judge/fold.hpp"

namespace personascope::judge {

bool is_word_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::set<std::string> words_of(std::string_view text) {
  constexpr std::size_t kShortestWord = 4;
  std::set<std::string> words;
  std::string word;
  for (const char c : lower(fold(text)) + " ") {
    if (is_word_part(c)) {
      word += c;
      continue;
    }
    if (word.size() >= kShortestWord) words.insert(word);
    word.clear();
  }
  return words;
}

}  // namespace personascope::judge
