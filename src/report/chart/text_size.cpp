#include "report/chart/text_size.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::report {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr std::size_t kLongestLine = 2000;  // bytes that are looked at

std::size_t count_bytes(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

// Of a character, in parts of the font's size.
double width_of_character(std::string_view character) {
  const char c = character[0];
  if (character.size() >= 3) return 1.05;
  // Accents that are put on the character before them take no room.
  if (character.size() == 2) return c == '\xCC' || c == '\xCD' ? 0 : 0.65;
  if (std::string_view("ijl.,:;'|!").find(c) != std::string_view::npos) return 0.33;
  if (std::string_view("mMW@%").find(c) != std::string_view::npos) return 0.98;
  if (std::string_view("w+<>=~").find(c) != std::string_view::npos) return 0.84;
  if (std::string_view(" -()[]ftr/\\I").find(c) != std::string_view::npos) return 0.41;
  return c >= 'A' && c <= 'Z' ? 0.72 : 0.63;
}

// The number of bytes of whole characters that fit.
std::size_t count_fitting(std::string_view text, double font_size, double width) {
  double used = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = std::min(count_bytes(text[at]), text.size() - at);
    used += font_size * width_of_character(text.substr(at, length));
    if (used > width) break;
    at += length;
  }
  return at;
}

// One line of valid text, of a length that can be measured.
std::string make_line(std::string_view text) {
  std::string line = printable(shorten(make_utf8(text), kLongestLine), Newlines::Keep);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\t', ' ');
  return line;
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  double used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::min(count_bytes(text[at]), text.size() - at);
    used += font_size * width_of_character(text.substr(at, length));
    at += length;
  }
  return used;
}

std::string fit_text(std::string_view text, double font_size, double width) {
  std::string line = make_line(text);
  if (count_fitting(line, font_size, width) == line.size()) return line;
  const double room = width - text_width(kEllipsis, font_size);
  line.resize(room > 0 ? count_fitting(line, font_size, room) : 0);
  while (line.ends_with(' ')) line.pop_back();
  return line + std::string(kEllipsis);
}

std::vector<std::string> break_text(std::string_view text, double font_size, double width,
                                    std::size_t max_lines) {
  const std::string all = make_line(text);
  std::string_view rest = all;
  std::vector<std::string> lines;
  while (lines.size() + 1 < max_lines) {
    const std::size_t fitting = count_fitting(rest, font_size, width);
    if (fitting == rest.size()) break;
    const std::size_t blank = rest.substr(0, fitting + 1).rfind(' ');
    if (blank == std::string_view::npos || blank == 0) break;
    lines.emplace_back(trim(rest.substr(0, blank)));
    rest = rest.substr(blank + 1);
  }
  lines.push_back(fit_text(rest, font_size, width));
  return lines;
}

}  // namespace personascope::report
