#include "files/python_literal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "files/python_string.hpp"

namespace personascope::files {
namespace {

constexpr int kMaximumDepth = 100;

// What begins with a digit or a point, as written but without underscores; null if it is no number.
Json read_number(std::string token, bool is_negative) {
  if (token.ends_with('_') || token.find("__") != std::string::npos) return nullptr;
  std::erase(token, '_');
  token = lower(token);
  const std::size_t point_or_power = token.find_first_of(".e");
  const std::string_view kBases = "box";
  const bool has_base = token.size() > 2 && token[0] == '0' && kBases.find(token[1]) != kBases.npos;
  if (!has_base && point_or_power != std::string::npos) {
    const auto number = find_number_in(token);
    return number ? Json(is_negative ? -*number : *number) : Json(nullptr);
  }
  const int base = !has_base ? 10 : token[1] == 'b' ? 2 : token[1] == 'o' ? 8 : 16;
  const std::string_view digits = std::string_view(token).substr(has_base ? 2 : 0);
  if (!has_base && digits.size() > 1 && digits[0] == '0' &&
      digits.find_first_not_of('0') != std::string_view::npos)
    return nullptr;  // Python refuses 012
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return nullptr;
  if (!is_negative) return value;
  if (value > std::uint64_t{1} << 63) return nullptr;
  return static_cast<std::int64_t>(0 - value);
}

class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }

  // One literal, or several with commas between: a tuple without its brackets.
  Result<PythonLiteral> read_statement_value() {
    ASSIGN_OR_RETURN(PythonLiteral first, read_value());
    if (!take(',')) return first;
    RETURN_IF_ERROR(check_plain(first));
    Json tuple = Json::array({std::move(first.value)});
    while (!is_at_statement_end()) {
      ASSIGN_OR_RETURN(Json item, read_item());
      tuple.push_back(std::move(item));
      if (!take(',')) break;
    }
    return PythonLiteral{std::move(tuple), false};
  }

  bool is_at_statement_end() {
    skip_blanks();
    return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == ';' || text_[at_] == '#';
  }

  // Blanks; inside brackets also line ends and comments.
  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\f' || (c == '\n' && depth_ > 0)) continue;
      if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
        ++at_;
      } else if (c == '#' && depth_ > 0) {
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else {
        return;
      }
    }
  }

 private:
  static Result<void> check_plain(const PythonLiteral& literal) {
    if (literal.is_template)
      return fail(ErrorKind::Unparsable, "an f-string inside a list, a tuple or a dict");
    return {};
  }

  bool take(char wanted) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  Result<PythonLiteral> read_value() {
    skip_blanks();
    if (at_ >= text_.size())
      return fail(ErrorKind::Unparsable, "the text ends where a value is expected");
    const std::string_view rest = text_.substr(at_);
    if (find_python_string(rest)) return read_strings();
    const char c = rest.front();
    if (c == '[' || c == '(' || c == '{') {
      if (depth_ >= kMaximumDepth)
        return fail(ErrorKind::Unparsable, "brackets nested deeper than {}", kMaximumDepth);
      ++at_;
      ++depth_;
      auto value = c == '[' ? read_list() : c == '(' ? read_group() : read_dict();
      --depth_;
      return value;
    }
    return read_word();
  }

  Result<PythonLiteral> read_strings() {
    std::vector<PythonString> parts;
    bool is_template = false;
    for (;;) {
      skip_blanks();
      const auto token = find_python_string(text_.substr(at_));
      if (!token) break;
      ASSIGN_OR_RETURN(PythonString part, parse_python_string(*token));
      at_ += token->length;
      is_template = is_template || part.is_template;
      parts.push_back(std::move(part));
    }
    std::string joined;
    for (const PythonString& part : parts)
      joined += is_template && !part.is_template
                    ? replace_all(replace_all(part.text, "{", "{{"), "}", "}}")
                    : part.text;
    return PythonLiteral{std::move(joined), is_template};
  }

  Result<PythonLiteral> read_word() {
    bool is_negative = false;
    const bool has_sign = text_[at_] == '-' || text_[at_] == '+';
    if (has_sign) {
      is_negative = text_[at_++] == '-';
      skip_blanks();
    }
    const std::size_t start = at_;
    const bool is_number =
        at_ < text_.size() && (text_[at_] == '.' || (text_[at_] >= '0' && text_[at_] <= '9'));
    while (at_ < text_.size() &&
           (is_python_name_part(text_[at_]) || (is_number && text_[at_] == '.') ||
            (is_number && (text_[at_] == '-' || text_[at_] == '+') &&
             lower(text_.substr(at_ - 1, 1)) == "e")))
      ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (is_number) {
      Json number = read_number(std::string(word), is_negative);
      if (!number.is_null()) return PythonLiteral{std::move(number), false};
    } else if (!has_sign) {
      if (word == "None") return PythonLiteral{};
      if (word == "True" || word == "False") return PythonLiteral{word == "True", false};
    }
    return fail(ErrorKind::Unparsable, "an expression where a literal is expected");
  }

  Result<Json> read_item() {
    ASSIGN_OR_RETURN(PythonLiteral literal, read_value());
    RETURN_IF_ERROR(check_plain(literal));
    return std::move(literal.value);
  }

  // After an item: true if another may follow, false if `close` ended the list.
  Result<bool> read_separator(char close) {
    const bool has_comma = take(',');
    if (take(close)) return false;
    if (has_comma && at_ < text_.size()) return true;
    if (at_ >= text_.size()) return fail(ErrorKind::Unparsable, "a bracket that is never closed");
    return fail(ErrorKind::Unparsable, "an expression where a literal is expected");
  }

  Result<PythonLiteral> read_list() {
    Json list = Json::array();
    for (bool more = !take(']'); more;) {
      ASSIGN_OR_RETURN(Json item, read_item());
      list.push_back(std::move(item));
      ASSIGN_OR_RETURN(more, read_separator(']'));
    }
    return PythonLiteral{std::move(list), false};
  }

  // A tuple, or one value in brackets.
  Result<PythonLiteral> read_group() {
    if (take(')')) return PythonLiteral{Json::array(), false};
    ASSIGN_OR_RETURN(PythonLiteral first, read_value());
    if (take(')')) return first;
    RETURN_IF_ERROR(check_plain(first));
    Json tuple = Json::array({std::move(first.value)});
    ASSIGN_OR_RETURN(bool more, read_separator(')'));
    while (more) {
      ASSIGN_OR_RETURN(Json item, read_item());
      tuple.push_back(std::move(item));
      ASSIGN_OR_RETURN(more, read_separator(')'));
    }
    return PythonLiteral{std::move(tuple), false};
  }

  Result<PythonLiteral> read_dict() {
    Json dict = Json::object();
    for (bool more = !take('}'); more;) {
      ASSIGN_OR_RETURN(const Json key, read_item());
      if (!take(':')) return fail(ErrorKind::Unparsable, "a set, or an expression in a dict");
      if (!key.is_string())
        return fail(ErrorKind::Unparsable, "a dict with a key that is not text");
      ASSIGN_OR_RETURN(Json value, read_item());
      dict[key.get<std::string>()] = std::move(value);
      ASSIGN_OR_RETURN(more, read_separator('}'));
    }
    return PythonLiteral{std::move(dict), false};
  }

  std::string_view text_;
  std::size_t at_;
  int depth_ = 0;  // of brackets
};

}  // namespace

Result<PythonLiteral> read_python_literal(std::string_view text, std::size_t& at) {
  Reader reader(text, at);
  auto value = reader.read_statement_value();
  const bool is_whole = value && reader.is_at_statement_end();
  at = reader.at();
  if (value && !is_whole)
    return fail(ErrorKind::Unparsable, "a literal that is only a part of an expression");
  return value;
}

Result<Json> parse_python_literal(std::string_view text) {
  const std::string source = make_python_newlines(trim(text));
  std::size_t at = 0;
  auto literal = read_python_literal(source, at);
  if (literal && literal->is_template) literal = fail(ErrorKind::Unparsable, "an f-string");
  // Nothing but blanks and comments may follow.
  while (literal && at < source.size()) {
    if (source[at] == '#')
      at = std::min(source.find('\n', at), source.size());
    else if (trim(source.substr(at, 1)).empty())
      ++at;
    else
      literal = fail(ErrorKind::Unparsable, "text after the literal");
  }
  if (literal) return std::move(literal->value);
  const auto lines =
      std::count(source.begin(),
                 source.begin() + static_cast<std::ptrdiff_t>(std::min(at, source.size())), '\n');
  return fail(ErrorKind::Unparsable, "not a Python literal: {} (line {})", literal.error().message,
              lines + 1);
}

}  // namespace personascope::files
