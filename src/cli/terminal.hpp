// What the terminal can show: colours only where somebody looks.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

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

// How many columns the terminal of `stream` has; 80 if it does not say.
std::size_t columns(std::FILE* stream);

// The same, but at most as many as are easy to read: for sentences.
std::size_t text_columns(std::FILE* stream);

// How many columns the text takes: characters, not bytes.
std::size_t width(std::string_view text);

}  // namespace personascope::cli
