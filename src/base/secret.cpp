#include "base/secret.hpp"

#include <algorithm>

namespace personascope {
namespace {

constexpr std::size_t kShortestRedacted = 4;

constexpr std::string_view kMark = "[redacted]";

// A range of bytes of a text.
struct Span {
  std::size_t start = 0;
  std::size_t end = 0;
};

std::vector<Span> find_secrets(std::string_view text, const std::vector<Secret>& secrets) {
  std::vector<Span> found;
  for (const Secret& secret : secrets) {
    const std::string& value = secret.reveal();
    if (value.size() < kShortestRedacted) continue;
    for (std::size_t at = text.find(value); at != std::string_view::npos;
         at = text.find(value, at + 1))
      found.push_back({at, at + value.size()});
  }
  std::ranges::sort(found, {}, &Span::start);
  return found;
}

struct CredentialsSpan {
  std::size_t start = 0;
  std::size_t length = 0;  // without the '@'
};

CredentialsSpan find_credentials(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t start = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t authority_end = std::min(url.find_first_of("/?#", start), url.size());
  const std::size_t at = url.substr(0, authority_end).rfind('@');
  if (at == std::string_view::npos || at < start) return {start, 0};
  return {start, at - start};
}

}  // namespace

std::string redact(std::string_view text, const std::vector<Secret>& secrets) {
  std::string result;
  std::size_t done = 0;  // what comes before is in the result or redacted
  for (const Span& span : find_secrets(text, secrets)) {
    if (span.start >= done) {
      result += text.substr(done, span.start - done);
      result += kMark;
    }
    done = std::max(done, span.end);
  }
  result += text.substr(done);
  return result;
}

std::string without_credentials(std::string_view url) {
  const auto [start, length] = find_credentials(url);
  if (length == 0) return std::string(url);
  return std::string(url.substr(0, start)) + std::string(url.substr(start + length + 1));
}

std::string_view credentials_of(std::string_view url) {
  const auto [start, length] = find_credentials(url);
  return url.substr(start, length);
}

}  // namespace personascope
