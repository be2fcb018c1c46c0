#include "files/unicode.hpp"

#include <algorithm>
#include <cstddef>

namespace personascope::files {

std::uint32_t take_code_point(std::string_view& text) {
  const auto first = static_cast<std::uint8_t>(text[0]);
  const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint32_t code = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length && i < text.size(); ++i)
    code = code << 6 | (static_cast<std::uint8_t>(text[i]) & 0x3Fu);
  text.remove_prefix(std::min(length, text.size()));
  return code;
}

bool append_code_point(std::string& text, std::uint32_t code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
    return true;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  add((0xFF00u >> (more + 1) & 0xFF) | code >> 6 * more);
  for (int i = more - 1; i >= 0; --i) add(0x80 | (code >> 6 * i & 0x3F));
  return true;
}

}  // namespace personascope::files
