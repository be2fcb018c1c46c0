#include "judge/fold.hpp"

#include <cstdint>
#include <cstring>

namespace personascope::judge {
namespace {

constexpr char kDrop = '\0';
constexpr char kKeep = '\1';

// What stands in for the character: an ASCII character, kDrop or kKeep.
char substitute(std::uint32_t code) {
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  if (code == 0xAD || code == 0x61C || code == 0x180E || within(0x200B, 0x200F) ||
      within(0x202A, 0x202E) || within(0x2060, 0x206F) || within(0xFE00, 0xFE0F) || code == 0xFEFF)
    return kDrop;
  if (code == 0xA0 || within(0x2000, 0x200A) || code == 0x202F || code == 0x205F || code == 0x3000)
    return ' ';
  if (code == 0x85 || code == 0x2028 || code == 0x2029) return '\n';
  if (within(0xFF01, 0xFF5E)) return static_cast<char>(code - 0xFF01 + '!');
  if (code == 0xAB || code == 0xBB || within(0x201C, 0x201F) || within(0x300C, 0x300F)) return '"';
  if (within(0x2018, 0x201B)) return '\'';
  if (within(0x2010, 0x2015) || code == 0x2212) return '-';
  if (code == 0x2022) return '*';  // a bullet
  return kKeep;
}

// The code point of the two or three bytes at the front and how many they are; a length of 1 for
// anything else.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 1;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const auto follows = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  if ((byte(0) & 0xE0) == 0xC0 && follows(1))
    return {(byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu), 2};
  if ((byte(0) & 0xF0) == 0xE0 && follows(1) && follows(2))
    return {(byte(0) & 0xFu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu), 3};
  return {};
}

}  // namespace

bool has_foreign_bytes(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080u;
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof(word));
    if (word & kHighBits) return true;
    text.remove_prefix(sizeof(word));
  }
  for (const char c : text)
    if (static_cast<std::uint8_t>(c) >= 0x80) return true;
  return false;
}

std::string fold(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  while (!text.empty()) {
    if (static_cast<std::uint8_t>(text.front()) < 0x80) {
      folded += text.front();
      text.remove_prefix(1);
      continue;
    }
    const Character character = first_character(text);
    const char instead = character.length == 1 ? kKeep : substitute(character.code);
    if (instead == kKeep)
      folded += text.substr(0, character.length);
    else if (instead != kDrop)
      folded += instead;
    text.remove_prefix(character.length);
  }
  return folded;
}

}  // namespace personascope::judge
