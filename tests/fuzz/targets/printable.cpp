// Text made safe for a terminal.
#include <algorithm>

#include "property.hpp"

using namespace personascope;

static bool is_control(char c, Newlines newlines) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\t' || (c == '\n' && newlines == Newlines::Keep)) return false;
  return byte < 0x20 || byte == 0x7F;
}

FUZZ_TARGET(printable, bytes) {
  for (const Newlines newlines : {Newlines::Keep, Newlines::Escape}) {
    const std::string text = printable(bytes, newlines);
    fuzz::require(is_utf8(text), "printable text is UTF-8");
    fuzz::require(std::ranges::none_of(text, [&](char c) { return is_control(c, newlines); }),
                  "printable text has no control characters");
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
      fuzz::require(text[i] != '\xC2' || static_cast<unsigned char>(text[i + 1]) >= 0xA0,
                    "printable text has no C1 controls");
    fuzz::require(printable(text, newlines) == text, "printable text stays as it is");
  }
}
