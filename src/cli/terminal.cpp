#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace personascope::cli {
namespace {

std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::None:
      return "";
    case Colour::Red:
      return "\x1b[31m";
    case Colour::Yellow:
      return "\x1b[33m";
    case Colour::Green:
      return "\x1b[32m";
    case Colour::Grey:
      return "\x1b[90m";
    case Colour::Bold:
      return "\x1b[1m";
  }
  return "";
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) != 0;
}

bool has_escapes(std::FILE* stream) {
  const char* term = std::getenv("TERM");
  return is_terminal(stream) && term && *term && std::string_view(term) != "dumb";
}

bool has_colours(std::FILE* stream) {
  const char* forbidden = std::getenv("NO_COLOR");
  return has_escapes(stream) && !(forbidden && *forbidden);
}

std::string paint(std::FILE* stream, Colour colour, std::string_view text) {
  if (colour == Colour::None || !has_colours(stream)) return std::string(text);
  return std::string(code_of(colour)) + std::string(text) + "\x1b[0m";
}

std::size_t columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::size_t text_columns(std::FILE* stream) {
  constexpr std::size_t kReadable = 100;
  return std::min(columns(stream), kReadable);
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace personascope::cli
