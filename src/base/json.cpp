#include "base/json.hpp"

#include <cmath>
#include <limits>

namespace personascope {
namespace {

constexpr int kMaximumDepth = 200;

// Rendering and destroying a value recurse, so a deep one would overflow the stack.
bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaximumDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  if (nests_too_deep(text))
    return fail(ErrorKind::Unparsable, "JSON is nested deeper than {} levels", kMaximumDepth);
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    // nlohmann's text quotes the input; the position is what a reader needs.
    return fail(ErrorKind::Unparsable, "not valid JSON at character {}", error.byte);
  } catch (const Json::exception&) {
    return fail(ErrorKind::Unparsable, "not valid JSON (a number is out of range)");
  }
}

std::string render_json(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string render_pretty_json(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace);
}

const Json* find_member(const Json& value, std::string_view key) {
  if (!value.is_object()) return nullptr;
  const auto member = value.find(key);
  return member == value.end() || member->is_null() ? nullptr : &*member;
}

std::optional<std::string> find_text(const Json& value, std::string_view key) {
  const Json* member = find_member(value, key);
  if (!member || !member->is_string()) return std::nullopt;
  return member->get<std::string>();
}

std::optional<std::int64_t> find_integer(const Json& value, std::string_view key) {
  const Json* member = find_member(value, key);
  if (!member) return std::nullopt;
  if (member->is_number_integer()) {
    if (member->is_number_unsigned() &&
        member->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      return std::nullopt;
    return member->get<std::int64_t>();
  }
  if (!member->is_number_float()) return std::nullopt;
  const double number = member->get<double>();  // "12.0" is an integer to most JSON writers
  if (std::abs(number) > 9e15 || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::optional<double> find_number(const Json& value, std::string_view key) {
  const Json* member = find_member(value, key);
  if (!member || !member->is_number()) return std::nullopt;
  return member->get<double>();
}

}  // namespace personascope
