#include "http/request_check.hpp"

#include <curl/curl.h>

#include <cstdint>
#include <memory>

#include "base/text.hpp"

namespace personascope::http {
namespace {

struct CurlFree {
  void operator()(char* text) const { curl_free(text); }
};
struct CurlUrlFree {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using CurlUrl = std::unique_ptr<CURLU, CurlUrlFree>;

// The part's text, percent-decoded; empty if the URL has none.
std::string part_of(const CurlUrl& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, CURLU_URLDECODE) != CURLUE_OK) return "";
  const std::unique_ptr<char, CurlFree> owner(text);
  return text;
}

std::string render_base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

// A URL that cannot be read may hide a password anywhere before its last '@'.
std::string render_bad_url(const Request& request) {
  const std::size_t at = request.url.rfind('@');
  const std::string shown =
      at == std::string::npos ? request.url : "[redacted]" + request.url.substr(at);
  return printable(redact(shown, request.secrets));
}

bool breaks_line(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

}  // namespace

Result<void> check_request(Request& request) {
  const CurlUrl url(curl_url());
  const bool readable = !breaks_line(request.url) &&
                        curl_url_set(url.get(), CURLUPART_URL, request.url.c_str(), 0) == CURLUE_OK;
  const std::string scheme = readable ? part_of(url, CURLUPART_SCHEME) : "";
  if (scheme != "http" && scheme != "https")
    return fail(ErrorKind::Misconfigured, "\"{}\" is not an http or https address",
                render_bad_url(request));
  for (const Header& header : request.headers)
    if (breaks_line(header.name) || breaks_line(header.value))
      return fail(ErrorKind::Misconfigured,
                  "the header \"{}\" has a line break in it, so nothing was sent: check the key",
                  printable(redact(header.name, request.secrets)));

  const std::string user = part_of(url, CURLUPART_USER);
  const std::string password = part_of(url, CURLUPART_PASSWORD);
  if (user.empty() && password.empty()) return {};
  // A user without a password is a token.
  request.secrets.emplace_back(password.empty() ? user : password);
  request.secrets.emplace_back(user + ":" + password);
  request.secrets.emplace_back(render_base64(user + ":" + password));
  request.secrets.emplace_back(std::string(credentials_of(request.url)));
  return {};
}

}  // namespace personascope::http
