#include "judge/verdict_value.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace personascope::judge {
namespace {

constexpr std::string_view kOpeners = " \t\r*_`\"'([{<";
constexpr std::string_view kClosers = " \t\r*_`\"')]}>";
constexpr std::array<std::string_view, 4> kAlternatives{"or", "and", "to", "maybe"};

char lower_of(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_digit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

// ".0" of "4.0", which is still a 4.
std::string_view skip_zero_decimals(std::string_view text) {
  if (!text.starts_with(".0")) return text;
  const std::string_view rest = skip(text.substr(1), "0");
  return continues_word(rest) ? text : rest;
}

// Whether what follows goes back on the value: "or 5", "to 5", another number.
bool is_alternative(std::string_view text) {
  text = skip(text, kOpeners);
  if (is_digit(text)) return true;
  return std::ranges::any_of(kAlternatives, [&](std::string_view word) {
    return begins_with(text, word) && !continues_word(text.substr(word.size()));
  });
}

}  // namespace

bool begins_with(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (lower_of(text[i]) != word[i]) return false;
  return true;
}

bool continues_word(std::string_view text) {
  if (text.empty()) return false;
  const char c = lower_of(text.front());
  return (c >= 'a' && c <= 'z') || is_digit(text) || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view skip(std::string_view text, std::string_view characters) {
  while (!text.empty() && characters.find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  return text;
}

ValueReader::ValueReader(const VerdictForm& form) {
  for (const Level& level : form.scale.levels) {
    words_.push_back({lower(level.label), level.score});
    has_signs_ = has_signs_ || level.label.starts_with('-');
    for (const std::string& other : level.also) words_.push_back({lower(other), level.score});
  }
  std::ranges::stable_sort(words_, std::ranges::greater{},
                           [](const Word& word) { return word.text.size(); });
  for (const std::string& phrase : form.abstentions) abstentions_.push_back(lower(phrase));
  if (is_digit(form.scale.levels.back().label)) top_ = form.scale.levels.back().label;
}

Value ValueReader::read(std::string_view text, Remark remark) const {
  text = skip(text, kOpeners);
  for (const Word& word : words_) {
    if (!begins_with(text, word.text)) continue;
    const std::string_view rest = text.substr(word.text.size());
    if (continues_word(rest)) continue;
    if (is_plain_tail(skip_zero_decimals(rest), remark)) return {Value::Kind::Score, word.score};
  }
  if (is_abstention(text)) return {Value::Kind::Abstention, 0};
  return {};
}

bool ValueReader::may_be_signed(std::string_view text) const {
  return has_signs_ && is_digit(skip(text.substr(1), kOpeners));
}

bool ValueReader::is_abstention(std::string_view text) const {
  return std::ranges::any_of(abstentions_, [&](const std::string& phrase) {
    return begins_with(text, phrase) && !continues_word(text.substr(phrase.size()));
  });
}

bool ValueReader::is_plain_tail(std::string_view rest, Remark remark) const {
  rest = skip(rest, kClosers);
  if (!top_.empty()) {
    for (const std::string_view by : {"/", "out of", "of"}) {
      if (!begins_with(rest, by)) continue;
      const std::string_view whole = skip(rest.substr(by.size()), kBlanks);
      if (!whole.starts_with(top_) || continues_word(whole.substr(top_.size()))) return false;
      rest = skip(skip_zero_decimals(whole.substr(top_.size())), kClosers);
      break;
    }
  }
  if (rest.empty()) return true;
  const char mark = rest.front();
  const std::string_view behind = rest.substr(1);
  if (std::string_view(".,;:!(-").find(mark) == std::string_view::npos) return false;
  if (mark == '-' && !behind.empty() && kBlanks.find(behind.front()) == std::string_view::npos)
    return false;
  if (is_alternative(skip(behind, ".,;:!-"))) return false;
  return remark == Remark::Allowed || skip(behind, " \t\r*_`\"')]}>.!").empty();
}

}  // namespace personascope::judge
