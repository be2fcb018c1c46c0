#include "base/secret.hpp"

#include "base/text.hpp"

namespace personascope {
namespace {

constexpr std::size_t kShortestRedacted = 4;

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
  std::string result(text);
  for (const Secret& secret : secrets) {
    if (secret.reveal().size() < kShortestRedacted) continue;
    if (result.find(secret.reveal()) != std::string::npos)
      result = replace_all(result, secret.reveal(), "[redacted]");
  }
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
