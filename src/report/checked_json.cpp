#include "report/checked_json.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kLongestName = 10'000;

std::unexpected<Error> wrong(std::string_view name, std::string_view what) {
  return fail(ErrorKind::Invalid, "\"{}\" must be {}", name, what);
}

// -1 for what is no digit.
int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

bool is_name(std::string_view text) {
  return text.size() <= kLongestName &&
         std::ranges::none_of(text, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; });
}

std::string render_bytes(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool CheckedJson::has(std::string_view name) const {
  return find_member(value_, name) != nullptr;
}

Result<std::string> CheckedJson::text(std::string_view name) const {
  auto text = find_text(value_, name);
  if (!text) return wrong(name, "a text");
  return std::move(*text);
}

Result<std::string> CheckedJson::name(std::string_view name) const {
  ASSIGN_OR_RETURN(std::string text, this->text(name));
  if (!is_name(text)) return wrong(name, "a short text without control characters");
  return text;
}

Result<bool> CheckedJson::boolean(std::string_view name) const {
  const Json* member = find_member(value_, name);
  if (!member || !member->is_boolean()) return wrong(name, "true or false");
  return member->get<bool>();
}

Result<std::int64_t> CheckedJson::integer(std::string_view name, std::int64_t least,
                                          std::int64_t most) const {
  const auto number = find_integer(value_, name);
  if (!number || *number < least || *number > most)
    return wrong(name, fmt::format("a whole number from {} to {}", least, most));
  return *number;
}

Result<std::optional<std::int64_t>> CheckedJson::find_count(std::string_view name,
                                                            std::int64_t most) const {
  if (!has(name)) return std::nullopt;
  ASSIGN_OR_RETURN(const std::int64_t count, integer(name, 0, most));
  return count;
}

Result<double> CheckedJson::number(std::string_view name, double least, double most) const {
  const auto number = find_number(value_, name);
  if (!number || !(*number >= least && *number <= most))
    return wrong(name, "a number in its range");
  return *number;
}

Result<const Json*> CheckedJson::object(std::string_view name) const {
  const Json* member = find_member(value_, name);
  if (!member || !member->is_object()) return wrong(name, "an object");
  return member;
}

Result<Json> CheckedJson::numbers(std::string_view name) const {
  const Json* member = find_member(value_, name);
  if (!member) return Json();
  if (!member->is_object() || !std::ranges::all_of(*member, [](const Json& value) {
        return value.is_number() || value.is_null();
      }))
    return wrong(name, "an object of numbers");
  return *member;
}

Result<std::string> CheckedJson::bytes(std::string_view name) const {
  ASSIGN_OR_RETURN(const std::string text, this->text(name));
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = digit_of(text[i]);
    const int low = digit_of(text[i + 1]);
    if (high < 0 || low < 0) break;
    bytes += static_cast<char>(high * 16 + low);
  }
  if (bytes.size() * 2 != text.size()) return wrong(name, "hexadecimal digits");
  return bytes;
}

Result<Digest> CheckedJson::key(std::string_view name) const {
  ASSIGN_OR_RETURN(const std::string bytes, this->bytes(name));
  Digest digest{};
  if (bytes.size() != digest.size()) return wrong(name, "64 hexadecimal digits");
  std::ranges::transform(bytes, digest.begin(),
                         [](char c) { return static_cast<std::uint8_t>(c); });
  return digest;
}

}  // namespace personascope::report
