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

// As wrap; the first line of all has `first` blanks before it.
std::string fill(std::string_view text, std::size_t columns, std::size_t first, std::size_t indent,
                 LongWords long_words) {
  std::string wrapped;
  std::size_t blanks = first;
  const auto room = [&] { return columns > blanks + 10 ? columns - blanks : 10; };
  const auto end_line = [&](std::string_view line) {
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    if (!line.empty()) wrapped.append(blanks, ' ').append(line);
    wrapped += '\n';
    blanks = indent;
  };
  for (const std::string_view paragraph : split(text, '\n')) {
    std::string line;
    for (std::string_view word : split(paragraph, ' ')) {
      if (!line.empty() && width(line) + 1 + width(word) > room()) {
        end_line(line);
        line.clear();
      }
      while (long_words == LongWords::Break && width(word) > room()) {
        const std::size_t cut = bytes_of_characters(word, room());
        end_line(word.substr(0, cut));
        word.remove_prefix(cut);
      }
      if (!line.empty()) line += ' ';
      line += word;
    }
    end_line(line);
  }
  return text.empty() ? "" : wrapped;
}

}  // namespace

std::string wrap(std::string_view text, std::size_t columns, std::size_t indent,
                 LongWords long_words) {
  return fill(text, columns, indent, indent, long_words);
}

std::string hang(std::string_view text, std::size_t columns, std::size_t indent) {
  const std::size_t own = std::min(text.find_first_not_of(' '), text.size());
  return fill(text.substr(own), columns, std::min(own, indent), indent, LongWords::Keep);
}

std::string wrap_message(std::FILE* stream, std::string_view text, std::size_t indent) {
  if (!is_terminal(stream)) return std::string(text) + "\n";
  return hang(text, columns(stream), indent);
}

}  // namespace personascope::cli
