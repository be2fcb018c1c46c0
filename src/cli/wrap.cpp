#include "cli/wrap.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

// The length in bytes of the first `count` characters.
std::size_t bytes_of_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size() && count > 0; --count) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

}  // namespace

std::string wrap(std::string_view text, std::size_t columns, std::size_t indent,
                 LongWords long_words) {
  const std::size_t room = columns > indent + 10 ? columns - indent : 10;
  const std::string before(indent, ' ');
  std::string wrapped;
  for (const std::string_view paragraph : split(text, '\n')) {
    std::string line;
    for (std::string_view word : split(paragraph, ' ')) {
      if (!line.empty() && width(line) + 1 + width(word) > room) {
        wrapped += before + line + "\n";
        line.clear();
      }
      while (long_words == LongWords::Break && width(word) > room) {
        const std::size_t cut = bytes_of_characters(word, room);
        wrapped += before + std::string(word.substr(0, cut)) + "\n";
        word.remove_prefix(cut);
      }
      if (!line.empty()) line += ' ';
      line += word;
    }
    wrapped += line.empty() ? "\n" : before + line + "\n";
  }
  return text.empty() ? "" : wrapped;
}

std::string hang(std::string_view text, std::size_t columns, std::size_t indent) {
  if (text.empty()) return "";
  const std::size_t own = std::min(text.find_first_not_of(' '), text.size());
  const std::string all = wrap(text.substr(own), columns, own, LongWords::Keep);
  const std::size_t end = std::min(all.find('\n'), all.size());
  const std::string_view rest = text.substr(std::min(end + 1, text.size()));
  return all.substr(0, end) + "\n" + wrap(rest, columns, indent, LongWords::Keep);
}

std::string wrap_message(std::FILE* stream, std::string_view text, std::size_t indent) {
  if (!is_terminal(stream)) return std::string(text) + "\n";
  return hang(text, columns(stream), indent);
}

}  // namespace personascope::cli
