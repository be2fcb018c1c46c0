#include "files/python_repr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "files/python_unprintable.hpp"
#include "files/unicode.hpp"

namespace personascope::files {
namespace {

bool is_printable(std::uint32_t code) {
  if (code >= 0x20 && code < 0x7F) return true;
  const auto ranges = python_unprintable();
  const auto after = std::upper_bound(
      ranges.begin(), ranges.end(), code,
      [](std::uint32_t wanted, const CodeRange& range) { return wanted < range.first; });
  return after == ranges.begin() || std::prev(after)->last < code;
}

void append_escaped(std::string& text, std::uint32_t code) {
  const auto out = std::back_inserter(text);
  if (code == '\n')
    text += "\\n";
  else if (code == '\r')
    text += "\\r";
  else if (code == '\t')
    text += "\\t";
  else if (code <= 0xFF)
    fmt::format_to(out, "\\x{:02x}", code);
  else if (code <= 0xFFFF)
    fmt::format_to(out, "\\u{:04x}", code);
  else
    fmt::format_to(out, "\\U{:08x}", code);
}

}  // namespace

std::string render_python_repr(std::string_view text) {
  const std::string valid = make_utf8(text);
  const bool has_single = valid.find('\'') != std::string::npos;
  const char quote = has_single && valid.find('"') == std::string::npos ? '"' : '\'';
  std::string result(1, quote);
  result.reserve(valid.size() + 2);
  for (std::string_view rest = valid; !rest.empty();) {
    const std::string_view before = rest;
    const std::uint32_t code = take_code_point(rest);
    if (code == '\\' || code == static_cast<std::uint32_t>(quote)) result += '\\';
    if (is_printable(code))
      result += before.substr(0, before.size() - rest.size());
    else
      append_escaped(result, code);
  }
  return result += quote;
}

std::string render_python_repr(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) parts.push_back(render_python_repr(text));
  return "[" + join(parts, ", ") + "]";
}

}  // namespace personascope::files
