#include "llm/providers/sigv4.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

namespace personascope::llm {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

// What proxies and HTTP clients change or add on the way, so that signing it would break.
constexpr std::array<std::string_view, 6> kUnsignedHeaders{
    "authorization", "connection", "expect", "transfer-encoding", "user-agent", "x-amzn-trace-id"};

struct UrlParts {
  std::string_view host;  // as the Host header has it: no default port, no user
  std::string_view path;
  std::string_view query;
};

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

UrlParts split_url(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const bool secure = url.starts_with("https:");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find('#'));
  std::string_view authority = url.substr(0, url.find_first_of("/?"));
  std::string_view rest = url.substr(authority.size());
  authority.remove_prefix(authority.rfind('@') + 1);  // npos + 1 is 0
  authority = without_suffix(without_suffix(authority, secure ? ":443" : ":80"), ":");

  const std::size_t question = rest.find('?');
  UrlParts parts{authority, rest.substr(0, question), {}};
  if (question != std::string_view::npos) parts.query = rest.substr(question + 1);
  return parts;
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// The path without empty, "." and ".." segments, each segment encoded once more than it is sent:
// the '%' that stands for a ':' on the wire is a '%25' here.
std::string render_canonical_path(std::string_view path) {
  std::vector<std::string> segments;
  for (const std::string_view segment : split(path, '/')) {
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      segments.push_back(percent_encode(segment));
    } else if (!segments.empty()) {
      segments.pop_back();
    }
  }
  const bool keeps_last_slash = path.ends_with('/') && !segments.empty();
  return fmt::format("/{}{}", join(segments, "/"), keeps_last_slash ? "/" : "");
}

std::optional<int> find_hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::string percent_decode(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size();
    const auto high = escape ? find_hex_digit(text[i + 1]) : std::nullopt;
    const auto low = escape ? find_hex_digit(text[i + 2]) : std::nullopt;
    if (high && low) {
      result += static_cast<char>(*high * 16 + *low);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

// Sorted by name, then value; each encoded in the one canonical way, however it is sent.
std::string render_canonical_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const std::string_view parameter : split(query, '&')) {
    if (parameter.empty()) continue;
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
    parameters.emplace_back(percent_encode(percent_decode(parameter.substr(0, equals))),
                            percent_encode(percent_decode(value)));
  }
  std::ranges::sort(parameters);
  std::vector<std::string> texts;
  for (const auto& [name, value] : parameters) texts.push_back(fmt::format("{}={}", name, value));
  return join(texts, "&");
}

// Without outer blanks, every inner run of blanks and line breaks made one space.
std::string fold_blanks(std::string_view value) {
  std::string result;
  for (const char c : trim(value)) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank || !result.ends_with(' ')) result += blank ? ' ' : c;
  }
  return result;
}

using SignedHeaders = std::map<std::string, std::string>;

void include(const std::vector<http::Header>& more, SignedHeaders& headers) {
  for (const http::Header& header : more) {
    const std::string name = lower(trim(header.name));
    if (std::ranges::find(kUnsignedHeaders, name) != kUnsignedHeaders.end()) continue;
    const auto [place, is_new] = headers.try_emplace(name, fold_blanks(header.value));
    if (!is_new) place->second += fmt::format(",{}", fold_blanks(header.value));
  }
}

SignedHeaders signed_headers_of(const http::Request& request) {
  SignedHeaders headers;
  include(request.headers, headers);
  headers.try_emplace("host", split_url(request.url).host);
  return headers;
}

std::string render_names(const SignedHeaders& headers) {
  std::vector<std::string> names;
  for (const auto& [name, value] : headers) names.push_back(name);
  return join(names, ";");
}

std::string render_canonical(const http::Request& request, const SignedHeaders& headers) {
  const UrlParts url = split_url(request.url);
  std::string header_lines;
  for (const auto& [name, value] : headers) header_lines += fmt::format("{}:{}\n", name, value);
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, render_canonical_path(url.path),
                     render_canonical_query(url.query), header_lines, render_names(headers),
                     render_hex(sha256(request.body)));
}

Digest make_signing_key(const AwsCredentials& credentials, const SigningScope& scope,
                        std::string_view day) {
  Digest key = hmac_sha256("AWS4" + credentials.secret_key.reveal(), day);
  key = hmac_sha256(bytes_of(key), scope.region);
  key = hmac_sha256(bytes_of(key), scope.service);
  return hmac_sha256(bytes_of(key), "aws4_request");
}

}  // namespace

std::string percent_encode(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += is_unreserved(c) ? std::string(1, c)
                               : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return result;
}

std::string render_canonical_request(const http::Request& request) {
  return render_canonical(request, signed_headers_of(request));
}

std::vector<http::Header> sign(const http::Request& request, const AwsCredentials& credentials,
                               const SigningScope& scope,
                               std::chrono::system_clock::time_point at) {
  const std::string time = render_compact_utc(at);
  const std::string day = time.substr(0, time.find('T'));
  std::vector<http::Header> added{{"X-Amz-Date", time}};
  if (!credentials.session_token.empty())
    added.push_back({"X-Amz-Security-Token", credentials.session_token.reveal()});

  SignedHeaders headers = signed_headers_of(request);
  include(added, headers);
  const std::string scope_text =
      fmt::format("{}/{}/{}/aws4_request", day, scope.region, scope.service);
  const std::string to_sign = fmt::format("{}\n{}\n{}\n{}", kAlgorithm, time, scope_text,
                                          render_hex(sha256(render_canonical(request, headers))));
  const Digest key = make_signing_key(credentials, scope, day);
  added.push_back({"Authorization",
                   fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kAlgorithm,
                               credentials.access_key, scope_text, render_names(headers),
                               render_hex(hmac_sha256(bytes_of(key), to_sign)))});
  return added;
}

}  // namespace personascope::llm
