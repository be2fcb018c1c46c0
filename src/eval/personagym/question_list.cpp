#include "eval/personagym/question_list.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "base/text.hpp"
#include "files/python_literal.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::size_t kLongestQuestion = 2000;
constexpr std::size_t kFewestWords = 3;
constexpr std::size_t kTellingWords = 5;  // below that no language is told

constexpr std::array<std::string_view, 24> kEnglish = {
    "the", "a",   "an",   "of",  "to",  "and", "in",  "is",   "you",  "your", "what", "how",
    "do",  "her", "with", "who", "for", "his", "she", "that", "when", "why",  "it",   "at"};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view line : split(text, '\n'))
    for (const std::string_view word : split(line, ' '))
      if (!trim(word).empty()) words.push_back(trim(word));
  return words;
}

// Letters of the Latin script against letters beyond it, roughly: by their place in Unicode.
double share_of_latin(std::string_view text) {
  std::size_t latin = 0;
  std::size_t other = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte | 0x20u) >= 'a' && (byte | 0x20u) <= 'z') ++latin;
    // U+0370 and beyond begin with CD B0; U+2000 to U+206F, which are marks, begin with E2 80 or
    // E2 81.
    const bool mark = byte == 0xe2 && i + 1 < text.size() &&
                      (static_cast<unsigned char>(text[i + 1]) & 0xfeu) == 0x80u;
    if (byte >= 0xcd && !mark) ++other;
  }
  if (latin + other == 0) return 1;
  return static_cast<double>(latin) / static_cast<double>(latin + other);
}

std::size_t count_english(const std::vector<std::string_view>& words) {
  return static_cast<std::size_t>(std::ranges::count_if(words, [](std::string_view word) {
    return std::ranges::find(kEnglish, lower(word)) != kEnglish.end();
  }));
}

// Python writes 'texts' where JSON has "texts".
Result<Json> parse_python_list(std::string_view text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.rfind(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return fail(ErrorKind::Unparsable, "the reply has no list");
  return files::parse_python_literal(text.substr(open, close - open + 1));
}

}  // namespace

Json make_question_schema(std::int64_t count) {
  return {{"type", "object"},
          {"properties",
           {{"questions",
             {{"type", "array"},
              {"items", {{"type", "string"}}},
              {"minItems", count},
              {"maxItems", count}}}}},
          {"required", {"questions"}},
          {"additionalProperties", false}};
}

Result<std::vector<std::string>> parse_text_list(std::string_view reply, std::string_view member) {
  auto value = llm::find_json(reply);
  if (!value) value = parse_python_list(reply);
  if (!value) return std::unexpected(std::move(value).error());
  const Json* list = value->is_array() ? &*value : find_member(*value, member);
  if (!list || !list->is_array())
    return fail(ErrorKind::Unparsable, "the reply has no list of {}", member);
  std::vector<std::string> texts;
  for (const Json& text : *list) {
    if (!text.is_string())
      return fail(ErrorKind::Unparsable, "the list of {} contains something that is not text",
                  member);
    texts.emplace_back(trim(text.get_ref<const std::string&>()));
  }
  return texts;
}

Result<std::vector<std::string>> parse_python_texts(std::string_view reply,
                                                    std::string_view member) {
  const std::string bare = replace_all(replace_all(reply, "```python", ""), "```", "");
  const auto value = files::parse_python_literal(trim(bare));
  if (!value || !value->is_array()) return parse_text_list(reply, member);
  std::vector<std::string> texts;
  for (const Json& text : *value) {
    if (!text.is_string())
      return fail(ErrorKind::Unparsable, "the list of {} contains something that is not text",
                  member);
    texts.push_back(text);
  }
  return texts;
}

Result<void> check_count(const std::vector<std::string>& questions, std::int64_t count) {
  if (std::ssize(questions) == count) return {};
  return fail(ErrorKind::Unparsable, "{} questions were written instead of {}", questions.size(),
              count);
}

Result<void> check_questions(const std::vector<std::string>& questions, std::int64_t count,
                             std::string_view persona) {
  RETURN_IF_ERROR(check_count(questions, count));
  std::set<std::string> seen;
  for (const std::string& question : questions) {
    if (words_of(question).size() < kFewestWords)
      return fail(ErrorKind::Unparsable, "\"{}\" is not a question",
                  printable(shorten(question, 60)));
    if (question.size() > kLongestQuestion)
      return fail(ErrorKind::Unparsable, "a question of {} characters was written",
                  question.size());
    if (!seen.insert(lower(question)).second)
      return fail(ErrorKind::Unparsable, "\"{}\" was written twice",
                  printable(shorten(question, 60)));
    if (is_other_language(persona, question))
      return fail(ErrorKind::Unparsable, "\"{}\" is not in the persona's language",
                  printable(shorten(question, 60)));
  }
  return {};
}

bool is_other_language(std::string_view known, std::string_view text) {
  const auto known_words = words_of(known);
  const auto words = words_of(text);
  const bool is_telling = known_words.size() >= kTellingWords;
  // "a nurse" is short, but English.
  const bool is_english = count_english(known_words) >= (is_telling ? 2u : 1u);
  // A script without blanks has few words, so scripts are compared first.
  if ((is_telling || is_english) && share_of_latin(known) > 0.7 && share_of_latin(text) < 0.3)
    return true;
  if (words.size() < kTellingWords) return false;
  if (is_telling && share_of_latin(known) < 0.3 && share_of_latin(text) > 0.7) return true;
  return is_english && words.size() >= 2 * kTellingWords && count_english(words) == 0;
}

}  // namespace personascope::eval::personagym
