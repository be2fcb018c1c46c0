// JSON values, with the two things nlohmann leaves to its users: errors as values, and safety
// against hostile nesting and invalid UTF-8.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope {

// Keys are kept sorted, so that equal values render to equal bytes.
using Json = nlohmann::json;

// Fails as Unparsable on malformed text and on nesting deeper than 200.
Result<Json> parse_json(std::string_view text);

// Compact text on one line; bytes that are not UTF-8 become U+FFFD.
std::string render_json(const Json& value);
// The same, indented by two spaces for people.
std::string render_pretty_json(const Json& value);

// The member if `value` is an object that has it and it is not null, else null pointer.
const Json* find_member(const Json& value, std::string_view key);
// The member as text, or nothing if it is missing or not a string; the next two for numbers.
std::optional<std::string> find_text(const Json& value, std::string_view key);
std::optional<std::int64_t> find_integer(const Json& value, std::string_view key);
std::optional<double> find_number(const Json& value, std::string_view key);

}  // namespace personascope
