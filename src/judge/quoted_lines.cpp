#include "judge/quoted_lines.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "judge/fold.hpp"
#include "judge/verdict_value.hpp"

namespace personascope::judge {
namespace {

constexpr std::string_view kDecoration = " \t\r*_#-+|\"'`";

std::string_view bare_line(std::string_view line) {
  for (std::size_t before = line.size() + 1; line.size() < before;) {
    before = line.size();
    line = skip(line, kDecoration);
    while (!line.empty() && kDecoration.find(line.back()) != std::string_view::npos)
      line.remove_suffix(1);
    if (line.starts_with('<')) line.remove_prefix(line.find('>') + 1);  // nothing without a '>'
    if (line.ends_with('>')) line = line.substr(0, std::min(line.rfind('<'), line.size()));
  }
  return line;
}

std::string join_pair(std::string_view line, std::string_view next) {
  return std::string(bare_line(line)) + "\n" + std::string(bare_line(next));
}

}  // namespace

bool mentions(std::string_view text, const std::vector<std::string>& markers) {
  return std::ranges::any_of(markers, [text](const std::string& marker) {
    const char first = marker.front();
    const char upper = first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : first;
    for (const char letter : {first, upper})
      for (std::size_t at = text.find(letter); at != std::string_view::npos;
           at = text.find(letter, at + 1))
        if (begins_with(text.substr(at), marker)) return true;
    return false;
  });
}

std::string_view first_line(std::string_view text) {
  text = skip(text, " \t\r\n");
  return trim(text.substr(0, text.find('\n')));
}

QuotedLines::QuotedLines(std::string_view judged, const std::vector<std::string>& markers) {
  if (judged.empty()) return;
  const std::string folded = fold(judged);
  if (!mentions(folded, markers)) return;
  std::string_view before;
  bool mentioned = false;
  for (const std::string_view part : split(folded, '\n')) {
    const std::string_view line = bare_line(part);
    if (line.empty()) continue;
    const bool mentions_now = mentions(line, markers);
    if (mentions_now) lines_.emplace(line);
    if (!before.empty() && (mentions_now || mentioned)) lines_.insert(join_pair(before, line));
    before = line;
    mentioned = mentions_now;
  }
}

bool QuotedLines::has(std::string_view line) const {
  return lines_.contains(std::string(bare_line(line)));
}

bool QuotedLines::has(std::string_view line, std::string_view next) const {
  return lines_.contains(join_pair(line, next));
}

}  // namespace personascope::judge
