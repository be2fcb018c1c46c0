// What the terminal can show: colours only where somebody looks.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace personascope::cli {

enum class Colour { None, Red, Yellow, Green, Grey, Bold };

// Whether `stream` is a terminal, so that text from outside must be made printable for it.
bool is_terminal(std::FILE* stream);
// Whether it is one that understands escape sequences: not with TERM=dumb, nor without TERM.
bool has_escapes(std::FILE* stream);
// The same, and colours are wanted: NO_COLOR switches them off.
bool has_colours(std::FILE* stream);

// `text` in the colour, if `stream` shows colours.
std::string paint(std::FILE* stream, Colour colour, std::string_view text);

// Prints to standard error. Where nobody reads it any more, such as a terminal that was closed,
// nothing happens: fmt::print would throw, and the run would not end in order.
template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  std::fputs(fmt::format(text, std::forward<Args>(args)...).c_str(), stderr);
}

// How many columns the terminal of `stream` has; 80 if it does not say.
std::size_t columns(std::FILE* stream);

// The same, but at most as many as are easy to read: for sentences.
std::size_t text_columns(std::FILE* stream);

// How many columns the text takes: characters, not bytes.
std::size_t width(std::string_view text);

}  // namespace personascope::cli
