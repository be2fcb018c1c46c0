#include "files/safe_name.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace personascope::files {
namespace {

constexpr std::size_t kLongestName = 200;  // file systems allow 255 bytes, endings included
constexpr std::size_t kLongestSlug = 60;
constexpr std::size_t kHashDigits = 12;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// "An alien / diplomat" -> "An-alien-diplomat".
std::string make_slug(std::string_view text) {
  std::string slug;
  for (const char c : text) {
    if (slug.size() >= kLongestSlug) break;
    if (is_word(c))
      slug += c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "name" : slug;
}

}  // namespace

bool is_safe_name(std::string_view text) {
  if (text.empty() || text.size() > kLongestName || text.front() == '.' || trim(text) != text)
    return false;
  if (!is_utf8(text)) return false;
  return std::ranges::none_of(text, [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

std::string make_safe_name(std::string_view text) {
  if (is_safe_name(text)) return std::string(text);
  return make_slug(text) + "-" + render_hex(sha256(text)).substr(0, kHashDigits);
}

}  // namespace personascope::files
