// Small operations on text that the standard library lacks.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace personascope {

std::string_view trim(std::string_view text);
std::string lower(std::string_view text);
std::string upper(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

// The whole text as a finite number, or nothing; no leading blanks, signs other than '-', or
// trailing text.
std::optional<long long> find_integer_in(std::string_view text);
std::optional<double> find_number_in(std::string_view text);

bool is_utf8(std::string_view text);
// The text with every byte sequence that is not UTF-8 replaced by U+FFFD.
std::string make_utf8(std::string_view text);
// At most `bytes` bytes of the text, cut between characters, and an ellipsis if something was cut.
std::string shorten(std::string_view text, std::size_t bytes);

// Safe for a terminal: control characters (escape sequences among them) become visible marks, and
// those that reorder the text around them (bidirectional controls) are left out; tabs stay, and
// newlines too with Newlines::Keep. Text from models and servers goes through here.
enum class Newlines { Keep, Escape };
std::string printable(std::string_view text, Newlines newlines = Newlines::Escape);

// The names in `known` nearest to `name` by edit distance, best first, at most three.
std::vector<std::string> near_matches(std::string_view name, const std::vector<std::string>& known);

}  // namespace personascope
