#include "files/python_string.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "files/unicode.hpp"

namespace personascope::files {
namespace {

constexpr std::string_view kPrefixes[] = {"", "r", "u", "b", "f", "br", "rb", "fr", "rf"};

bool has(std::string_view prefix, char letter) {
  return lower(prefix).find(letter) != std::string::npos;
}

class BodyReader {
 public:
  explicit BodyReader(const PythonStringToken& token)
      : rest_(token.body), is_raw_(has(token.prefix, 'r')), is_template_(has(token.prefix, 'f')) {}

  Result<PythonString> read() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '\\' && !is_raw_) {
        RETURN_IF_ERROR(read_escape());
      } else if (is_template_ && (c == '{' || c == '}')) {
        RETURN_IF_ERROR(read_brace(c));
      } else {
        text_ += c;
        rest_.remove_prefix(1);
      }
    }
    return PythonString{std::move(text_), is_template_};
  }

 private:
  Result<void> read_brace(char brace) {
    if (rest_.size() > 1 && rest_[1] == brace) {
      text_.append(2, brace);
      rest_.remove_prefix(2);
      return {};
    }
    const std::size_t end = rest_.find('}');
    if (brace == '}' || end == std::string_view::npos)
      return fail(ErrorKind::Unparsable, "an f-string with a brace that has no counterpart");
    const std::string_view name = trim(rest_.substr(1, end - 1));
    if (name.empty() || !is_python_name_start(name.front()) ||
        !std::all_of(name.begin(), name.end(), is_python_name_part))
      return fail(ErrorKind::Unparsable, "an f-string with more than a plain name in its braces");
    text_ += '{';
    text_ += name;
    text_ += '}';
    rest_.remove_prefix(end + 1);
    return {};
  }

  Result<void> read_escape() {
    constexpr std::string_view kLetters = "abfnrtv\\'\"";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    rest_.remove_prefix(1);
    if (rest_.empty()) return fail(ErrorKind::Unparsable, "a backslash without what it escapes");
    const char c = rest_.front();
    if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
      text_ += kMeanings[known];
      rest_.remove_prefix(1);
    } else if (c == '\n') {
      rest_.remove_prefix(1);
    } else if (c >= '0' && c <= '7') {
      const std::size_t end = std::min(rest_.find_first_not_of("01234567"), rest_.size());
      return read_code(std::min<std::size_t>(end, 3), 8);
    } else if (c == 'x' || c == 'u' || c == 'U') {
      rest_.remove_prefix(1);
      return read_code(c == 'x' ? 2 : c == 'u' ? 4 : 8, 16);
    } else if (c == 'N') {
      return fail(ErrorKind::Unparsable, "a character by its name (\\N), which is not read");
    } else {
      text_ += '\\';  // as Python does with an escape that it does not know
    }
    return {};
  }

  Result<void> read_code(std::size_t digits, int base) {
    std::uint32_t code = 0;
    const std::string_view number = rest_.substr(0, digits);
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), code, base);
    if (number.size() < digits || error != std::errc{} || end != number.data() + number.size())
      return fail(ErrorKind::Unparsable, "an escape with too few digits");
    if (is_template_ && (code == '{' || code == '}')) text_ += static_cast<char>(code);
    if (!append_code_point(text_, code))
      return fail(ErrorKind::Unparsable, "an escape that is not a character");
    rest_.remove_prefix(digits);
    return {};
  }

  std::string_view rest_;
  bool is_raw_;
  bool is_template_;
  std::string text_;
};

}  // namespace

bool is_python_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_python_name_part(char c) {
  return is_python_name_start(c) || (c >= '0' && c <= '9');
}

std::optional<PythonStringToken> find_python_string(std::string_view text) {
  const std::size_t open = text.substr(0, 3).find_first_of("'\"");
  if (open == std::string_view::npos) return std::nullopt;
  PythonStringToken token;
  token.prefix = text.substr(0, open);
  if (std::find(std::begin(kPrefixes), std::end(kPrefixes), lower(token.prefix)) ==
      std::end(kPrefixes))
    return std::nullopt;
  const char quote = text[open];
  const std::string triple(3, quote);
  const bool is_triple = text.substr(open).starts_with(triple);
  const std::size_t start = open + (is_triple ? 3 : 1);
  std::size_t at = start;
  for (; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      ++at;
    } else if (is_triple ? text.substr(at).starts_with(triple) : text[at] == quote) {
      token.body = text.substr(start, at - start);
      token.length = at + (is_triple ? 3 : 1);
      return token;
    } else if (!is_triple && text[at] == '\n') {
      break;
    }
  }
  token.body = text.substr(start, at - start);
  token.length = at;
  token.is_closed = false;
  return token;
}

Result<PythonString> parse_python_string(const PythonStringToken& token) {
  if (!token.is_closed) return fail(ErrorKind::Unparsable, "a string that is never closed");
  if (has(token.prefix, 'b')) return fail(ErrorKind::Unparsable, "bytes, which are not read");
  return BodyReader(token).read();
}

std::string make_python_newlines(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    result += text[i] == '\r' ? '\n' : text[i];
  }
  return result;
}

}  // namespace personascope::files
