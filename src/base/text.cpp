#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace personascope {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The length of the UTF-8 character at the front of `text`, 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  std::uint8_t low = 0x80, high = 0xBF;  // range of the second byte
  if (first >= 0xC2 && first <= 0xDF)
    length = 2;
  else if (first >= 0xE0 && first <= 0xEF)
    length = 3;
  else if (first >= 0xF0 && first <= 0xF4)
    length = 4;
  else
    return 0;
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;  // surrogates
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  if (text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

// U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069: they change the order in which a
// terminal shows the text around them. `character` is one character.
bool is_bidi_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(character[i]); };
  if (character.size() == 2) return byte(0) == 0xD8 && byte(1) == 0x9C;
  if (character.size() != 3 || byte(0) != 0xE2) return false;
  if (byte(1) == 0x80)
    return byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xAA && byte(2) <= 0xAE);
  return byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
}

template <class Number>
std::optional<Number> find_whole(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t start = 0;
  if (!from.empty()) {
    for (std::size_t at = text.find(from); at != std::string_view::npos;
         at = text.find(from, start)) {
      result.append(text, start, at - start);
      result += to;
      start = at + from.size();
    }
  }
  result += text.substr(start);
  return result;
}

std::optional<long long> find_integer_in(std::string_view text) {
  return find_whole<long long>(text);
}

std::optional<double> find_number_in(std::string_view text) {
  const auto number = find_whole<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string make_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) {
      result += kReplacement;
      text.remove_prefix(1);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result;
}

std::string shorten(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  std::size_t end = bytes;
  while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string printable(std::string_view text, Newlines newlines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto byte = static_cast<std::uint8_t>(text[0]);
    if (length == 0) {
      result += kReplacement;
      text.remove_prefix(1);
      continue;
    }
    const bool c1_control =
        length == 2 && byte == 0xC2 && static_cast<std::uint8_t>(text[1]) < 0xA0;
    if (byte == '\n' && newlines == Newlines::Escape) {
      result += "\\n";
    } else if ((byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7F || c1_control) {
      result += kReplacement;
    } else if (!is_bidi_control(text.substr(0, length))) {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

std::vector<std::string> near_matches(std::string_view name,
                                      const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  const std::size_t most = std::max<std::size_t>(2, name.size() / 3);
  for (const std::string& candidate : known) {
    // No nearer than that, and a name of megabytes is not worth measuring.
    if (std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size()) > most)
      continue;
    const std::size_t distance = edit_distance(lower(name), lower(candidate));
    if (distance <= most) ranked.emplace_back(distance, candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> best;
  for (std::size_t i = 0; i < ranked.size() && i < 3; ++i) best.push_back(ranked[i].second);
  return best;
}

}  // namespace personascope
