// The members of a JSON object from outside, each with its type and range checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::report {

// Whether it can be a name: at most 10,000 bytes, no control characters.
bool is_name(std::string_view text);

// Bytes in hexadecimal.
std::string render_bytes(std::string_view bytes);

// Refers to the value. Every method fails as Invalid, naming the member, if it is missing or is not
// what is asked for.
class CheckedJson {
 public:
  explicit CheckedJson(const Json& value) : value_(value) {}

  bool has(std::string_view name) const;  // and it is not null
  Result<std::string> text(std::string_view name) const;
  Result<std::string> name(std::string_view name) const;
  Result<bool> boolean(std::string_view name) const;
  Result<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most) const;
  // Nothing if it is null or missing.
  Result<std::optional<std::int64_t>> find_count(std::string_view name, std::int64_t most) const;
  Result<double> number(std::string_view name, double least, double most) const;
  Result<const Json*> object(std::string_view name) const;
  // An object of numbers by name, or null.
  Result<Json> numbers(std::string_view name) const;
  Result<Digest> key(std::string_view name) const;
  Result<std::string> bytes(std::string_view name) const;  // of hexadecimal digits

 private:
  const Json& value_;
};

}  // namespace personascope::report
