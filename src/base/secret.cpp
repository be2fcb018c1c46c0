#include "base/secret.hpp"

#include <algorithm>
#include <cstdint>

#include "base/json.hpp"
#include "base/text.hpp"

namespace personascope {
namespace {

constexpr std::size_t kShortestRedacted = 4;

struct CredentialsSpan {
  std::size_t start = 0;
  std::size_t length = 0;  // without the '@'
};

std::string escape_for_json(const std::string& value) {
  const std::string quoted = render_json(value);
  return quoted.substr(1, quoted.size() - 2);
}

std::string escape_for_url(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain)
      escaped += c;
    else
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return escaped;
}

CredentialsSpan find_credentials(std::string_view url) {
  // "http:/host" and "http:///host" too: curl takes them for "http://host".
  const std::size_t scheme = url.find(":/");
  const std::size_t start = scheme == std::string_view::npos
                                ? 0
                                : std::min(url.find_first_not_of('/', scheme + 1), url.size());
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

}  // namespace

Redactor::Redactor(const std::vector<Secret>& secrets) {
  for (const Secret& secret : secrets) {
    const std::string& value = secret.reveal();
    if (value.size() < kShortestRedacted) continue;
    const std::string json = escape_for_json(value);
    for (const std::string& spelling :
         {value, json, replace_all(json, "/", "\\/"), escape_for_url(value)})
      spellings_.push_back(spelling);
  }
  std::ranges::sort(spellings_, [](const std::string& a, const std::string& b) {
    return std::pair(b.size(), std::string_view(a)) < std::pair(a.size(), std::string_view(b));
  });
  const auto repeated = std::ranges::unique(spellings_);
  spellings_.erase(repeated.begin(), repeated.end());
}

std::string Redactor::redact(std::string_view text) const {
  std::string shown;
  show(text, Rest::Show, shown);
  return shown;
}

std::string Redactor::feed(std::string_view piece) {
  held_ += piece;
  std::string shown;
  held_ = std::string(show(held_, Rest::Hold, shown));
  return shown;
}

std::string Redactor::finish() {
  return redact(std::exchange(held_, {}));
}

std::string_view Redactor::show(std::string_view text, Rest rest, std::string& shown) const {
  std::vector<std::size_t> places;  // where each spelling comes next
  for (const std::string& spelling : spellings_) places.push_back(text.find(spelling));
  std::size_t at = 0;
  std::size_t held = rest == Rest::Show ? text.size() : find_beginning(text);
  while (!places.empty()) {
    const std::size_t start = *std::ranges::min_element(places);
    if (start >= held) break;
    const std::size_t end = find_end(text, start, places);
    if (end > held) {  // what follows may be the rest of a secret that overlaps this one
      held = start;
      break;
    }
    shown += text.substr(at, start - at);
    shown += "[redacted]";
    at = end;
  }
  shown += text.substr(at, held - at);
  return text.substr(held);
}

std::size_t Redactor::find_end(std::string_view text, std::size_t start,
                               std::vector<std::size_t>& places) const {
  std::size_t end = start + 1;
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < places.size(); ++i)
      for (; places[i] < end; places[i] = text.find(spellings_[i], places[i] + 1))
        if (const std::size_t its_end = places[i] + spellings_[i].size(); its_end > end) {
          end = its_end;
          grows = true;
        }
  }
  return end;
}

std::size_t Redactor::find_beginning(std::string_view text) const {
  const std::size_t longest = spellings_.empty() ? 0 : spellings_.front().size();
  for (std::size_t at = text.size() > longest ? text.size() - longest : 0; at < text.size(); ++at) {
    const std::string_view end = text.substr(at);
    for (const std::string& spelling : spellings_)
      if (spelling.size() > end.size() && spelling.starts_with(end)) return at;
  }
  return text.size();
}

std::string redact(std::string_view text, const std::vector<Secret>& secrets) {
  return Redactor(secrets).redact(text);
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
