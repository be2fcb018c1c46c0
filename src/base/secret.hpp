// A value that must never be shown: it has no stream or fmt output, and its owner passes it on only
// to the one place that sends it.
#pragma once

#include <functional>
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

// `text` with every occurrence of a secret replaced by "[redacted]". Secrets shorter than four
// characters are left alone: they would blank out ordinary words.
std::string redact(std::string_view text, const std::vector<Secret>& secrets);

// The same for text that arrives in pieces: passes on all but a tail that may be a secret's
// beginning.
class RedactingStream {
 public:
  RedactingStream(std::vector<Secret> secrets, std::function<void(std::string_view)> sink)
      : secrets_(std::move(secrets)), sink_(std::move(sink)) {}
  void write(std::string_view piece);
  // Passes on the tail.
  void finish();

 private:
  std::vector<Secret> secrets_;
  std::function<void(std::string_view)> sink_;
  std::string held_;
};

// A URL without its user and password: "https://user:pw@host/" becomes "https://host/".
std::string without_credentials(std::string_view url);
// The "user:password" part of a URL, empty if it has none.
std::string_view credentials_of(std::string_view url);
// The URL's user and password in every form in which they may come back: as written, decoded, the
// password alone, and as the Basic header that they become.
std::vector<Secret> secrets_in(std::string_view url);
// `text` with the user and password of every URL in it left out.
std::string without_url_credentials(std::string_view text);

}  // namespace personascope
