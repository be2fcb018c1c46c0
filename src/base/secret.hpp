// A value that must never be shown: it has no stream or fmt output, and its owner passes it on only
// to the one place that sends it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace personascope {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  bool empty() const { return value_.empty(); }
  // The value itself, for the request that needs it and for nothing else.
  const std::string& reveal() const { return value_; }

 private:
  std::string value_;
};

// `text` with every occurrence of a secret replaced by "[redacted]", secrets that overlap by one.
// Secrets shorter than four characters are left alone: they would blank out ordinary words.
std::string redact(std::string_view text, const std::vector<Secret>& secrets);

// A URL without its user and password: "https://user:pw@host/" becomes "https://host/".
std::string without_credentials(std::string_view url);
// The "user:password" part of a URL, empty if it has none.
std::string_view credentials_of(std::string_view url);

}  // namespace personascope
