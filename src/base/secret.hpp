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

// `text` with every occurrence of a secret replaced by "[redacted]", be it spelt as it is, as JSON
// escapes it or as a URL does; secrets that overlap are replaced by one. Secrets shorter than four
// characters are left alone: they would blank out ordinary words.
std::string redact(std::string_view text, const std::vector<Secret>& secrets);

// The same for many texts, and for text that arrives in pieces, which may part a secret.
class Redactor {
 public:
  explicit Redactor(const std::vector<Secret>& secrets);
  // A whole text, apart from what is fed.
  std::string redact(std::string_view text) const;
  // What can be shown by now; the beginning of what may become a secret is held back.
  std::string feed(std::string_view piece);
  // What was held back and turned out harmless.
  std::string finish();

 private:
  enum class Rest { Hold, Show };
  // Adds to `shown` what can be shown of `text` and returns what cannot be yet.
  std::string_view show(std::string_view text, Rest rest, std::string& shown) const;
  // The end of the secret at `start` and of those that overlap it. `places` has where each spelling
  // comes next, and is moved past the end.
  std::size_t find_end(std::string_view text, std::size_t start,
                       std::vector<std::size_t>& places) const;
  // Where the end of `text` is the beginning of a secret; its size if nowhere.
  std::size_t find_beginning(std::string_view text) const;

  std::vector<std::string> spellings_;  // longest first
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
