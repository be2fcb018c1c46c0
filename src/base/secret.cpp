#include "base/secret.hpp"

#include <algorithm>
#include <cstdint>

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

std::string decode_percent(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto value_of = [&](std::size_t at) -> int {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const std::size_t value =
          at < text.size() ? kDigits.find(lower(text.substr(at, 1))) : std::string_view::npos;
      return value == std::string_view::npos ? -1 : static_cast<int>(value);
    };
    const int high = text[i] == '%' ? value_of(i + 1) : -1;
    const int low = high < 0 ? -1 : value_of(i + 2);
    decoded += low < 0 ? text[i] : static_cast<char>(high * 16 + low);
    if (low >= 0) i += 2;
  }
  return decoded;
}

std::string encode_base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? std::uint32_t{static_cast<std::uint8_t>(bytes[at])} : 0u;
    };
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? kAlphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

// The length of the longest end of `text` with which `secret` begins.
std::size_t overlap(std::string_view text, std::string_view secret) {
  if (secret.size() < kShortestRedacted) return 0;
  for (std::size_t length = std::min(text.size(), secret.size() - 1); length > 0; --length)
    if (secret.starts_with(text.substr(text.size() - length))) return length;
  return 0;
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

void RedactingStream::write(std::string_view piece) {
  held_ = redact(held_ + std::string(piece), secrets_);
  std::size_t kept = 0;
  for (const Secret& secret : secrets_) kept = std::max(kept, overlap(held_, secret.reveal()));
  const std::string ready = held_.substr(0, held_.size() - kept);
  held_.erase(0, ready.size());
  if (!ready.empty()) sink_(ready);
}

void RedactingStream::finish() {
  if (!held_.empty()) sink_(std::exchange(held_, {}));
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

std::vector<Secret> secrets_in(std::string_view url) {
  const std::string written(credentials_of(url));
  if (written.empty()) return {};
  std::vector<Secret> secrets;
  for (const std::string& credentials : {written, decode_percent(written)}) {
    secrets.emplace_back(credentials);
    secrets.emplace_back(credentials.substr(credentials.find(':') + 1));
    secrets.emplace_back(encode_base64(credentials));
  }
  return secrets;
}

std::string without_url_credentials(std::string_view text) {
  std::string result;
  for (std::size_t at = text.find("://"); at != std::string_view::npos; at = text.find("://")) {
    const std::size_t end = std::min(text.find_first_of(" \t\n\"'", at), text.size());
    result += text.substr(0, at);
    result += without_credentials(text.substr(at, end - at));
    text.remove_prefix(end);
  }
  return result += text;
}

}  // namespace personascope
