#include "llm/providers/http_error.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/secret.hpp"
#include "base/text.hpp"

namespace personascope::llm {
namespace {

constexpr std::size_t kLongestErrorText = 400;
constexpr std::size_t kLongestExcerpt = 120;
constexpr std::size_t kLargestErrorBody = 16384;
// An error may quote the prompt; the provider's own words come first.
constexpr std::size_t kOwnWords = 300;

struct Sign {
  std::string_view words;
  ErrorKind kind;
};

// Codes, types and reasons, compared whole and in lower case.
constexpr std::array kCodes{
    Sign{"insufficient_quota", ErrorKind::Unauthorized},
    Sign{"exceeded_current_quota_error", ErrorKind::Unauthorized},
    Sign{"billing_error", ErrorKind::Unauthorized},
    Sign{"billing_not_active", ErrorKind::Unauthorized},
    Sign{"billing_hard_limit_reached", ErrorKind::Unauthorized},
    Sign{"access_terminated", ErrorKind::Unauthorized},
    Sign{"account_deactivated", ErrorKind::Unauthorized},
    Sign{"organization_restricted", ErrorKind::Unauthorized},
    Sign{"arrearage", ErrorKind::Unauthorized},
    Sign{"authentication_error", ErrorKind::Unauthorized},
    Sign{"permission_error", ErrorKind::Unauthorized},
    Sign{"invalid_api_key", ErrorKind::Unauthorized},
    Sign{"invalidapikey", ErrorKind::Unauthorized},
    Sign{"api_key_invalid", ErrorKind::Unauthorized},
    Sign{"api_key_service_blocked", ErrorKind::Unauthorized},
    Sign{"permission_denied", ErrorKind::Unauthorized},
    Sign{"unauthenticated", ErrorKind::Unauthorized},
    Sign{"service_disabled", ErrorKind::Unauthorized},
    Sign{"billing_disabled", ErrorKind::Unauthorized},
    Sign{"unsupported_country_region_territory", ErrorKind::Unauthorized},
    Sign{"unrecognizedclientexception", ErrorKind::Unauthorized},
    Sign{"expiredtokenexception", ErrorKind::Unauthorized},
    Sign{"accessdeniedexception", ErrorKind::Unauthorized},
    Sign{"invalidsignatureexception", ErrorKind::Unauthorized},
    Sign{"model_not_found", ErrorKind::NotFound},
    Sign{"model_not_supported", ErrorKind::NotFound},
    Sign{"model_decommissioned", ErrorKind::NotFound},
    Sign{"invalid_model", ErrorKind::NotFound},
    Sign{"not_found_error", ErrorKind::NotFound},
    Sign{"deploymentnotfound", ErrorKind::NotFound},
    Sign{"resourcenotfoundexception", ErrorKind::NotFound},
};

// Words of the message, in lower case.
constexpr std::array kPhrases{
    Sign{"credit balance", ErrorKind::Unauthorized},
    Sign{"insufficient credit", ErrorKind::Unauthorized},
    Sign{"requires more credits", ErrorKind::Unauthorized},
    Sign{"used all available credits", ErrorKind::Unauthorized},
    Sign{"insufficient balance", ErrorKind::Unauthorized},
    Sign{"spending limit", ErrorKind::Unauthorized},
    Sign{"api usage limits", ErrorKind::Unauthorized},
    Sign{"credit limit exceeded", ErrorKind::Unauthorized},
    Sign{"exceeded your monthly included credits", ErrorKind::Unauthorized},
    Sign{"billing hard limit", ErrorKind::Unauthorized},
    Sign{"payment instrument", ErrorKind::Unauthorized},
    Sign{"account is not active", ErrorKind::Unauthorized},
    Sign{"account is suspended", ErrorKind::Unauthorized},
    Sign{"account is in good standing", ErrorKind::Unauthorized},
    Sign{"organization has been disabled", ErrorKind::Unauthorized},
    Sign{"organization has been restricted", ErrorKind::Unauthorized},
    Sign{"api key not valid", ErrorKind::Unauthorized},
    Sign{"api key expired", ErrorKind::Unauthorized},
    Sign{"invalid api key", ErrorKind::Unauthorized},
    Sign{"incorrect api key", ErrorKind::Unauthorized},
    Sign{"invalid x-api-key", ErrorKind::Unauthorized},
    Sign{"no auth credentials", ErrorKind::Unauthorized},
    Sign{"security token included in the request is", ErrorKind::Unauthorized},
    Sign{"location is not supported", ErrorKind::Unauthorized},
    Sign{"country, region, or territory not supported", ErrorKind::Unauthorized},
    Sign{"not available in your region", ErrorKind::Unauthorized},
    Sign{"model identifier is invalid", ErrorKind::NotFound},
    Sign{"with on-demand throughput isn", ErrorKind::NotFound},
    Sign{"is not a valid model id", ErrorKind::NotFound},
    Sign{"invalid model: ", ErrorKind::NotFound},
    Sign{"invalid model '", ErrorKind::NotFound},
    Sign{"model not exist", ErrorKind::NotFound},
    Sign{"model not found", ErrorKind::NotFound},
    Sign{"no endpoints found", ErrorKind::NotFound},
    Sign{"unable to access model", ErrorKind::NotFound},
    Sign{"has been decommissioned", ErrorKind::NotFound},
};

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Providers word it differently and give it status 400, 413 or 422.
bool says_too_long(std::string_view text) {
  return contains_any(
      text, {"context_length_exceeded", "context length", "context window", "maximum context",
             "prompt is too long", "input is too long", "too many input tokens",
             "exceeds the available context", "exceed_context_size", "too many total text bytes"});
}

bool says_filtered(std::string_view text) {
  return contains_any(text, {"content_filter", "content filtering", "content management policy",
                             "content_policy", "flagged", "moderation", "safety system"});
}

bool says_slow_down(std::string_view text) {
  return contains_any(text, {"throttlingexception", "too many requests"});
}

// What an error says of itself, wherever its provider puts that.
struct Report {
  std::string message;             // the sentence, as it is
  std::vector<std::string> codes;  // in lower case
  std::string shown_code;          // to go with the sentence
  std::optional<int> status;       // a code that is a number
};

void read_codes(const Json& error, Report& report) {
  for (const char* key : {"code", "type", "status", "reason", "__type"}) {
    const auto text = find_text(error, key);
    if (!text) continue;
    report.codes.push_back(lower(text->substr(text->rfind('#') + 1)));
    if (key == std::string_view("code")) report.shown_code = *text;
  }
  if (const auto number = find_integer(error, "code"); number && *number >= 100 && *number < 600)
    report.status = static_cast<int>(*number);
  const Json* details = find_member(error, "details");  // Google's
  if (!details || !details->is_array()) return;
  for (const Json& detail : *details)
    if (const auto reason = find_text(detail, "reason")) report.codes.push_back(lower(*reason));
}

// The error object or text itself.
Report read_error_member(const Json& error) {
  Report report;
  if (error.is_string()) {
    report.message = error.get<std::string>();
    return report;
  }
  report.message = find_text(error, "message").value_or(render_json(error));
  read_codes(error, report);
  return report;
}

Report read_report(std::string_view body) {
  const auto json = parse_json(body);
  if (!json) return {std::string(trim(body)), {}, {}, {}};
  // Gemini's OpenAI-style API puts the object into a list.
  const Json& top = json->is_array() && !json->empty() ? json->front() : *json;
  if (const Json* error = find_member(top, "error")) return read_error_member(*error);
  Report report;
  read_codes(top, report);
  for (const char* key : {"message", "Message", "detail", "title"})
    if (const auto text = find_text(top, key)) {
      report.message = *text;
      return report;
    }
  report.message = trim(body);
  return report;
}

// The kind of an error that no further call would escape, if the words say that it is one.
std::optional<ErrorKind> find_lasting_kind(const Report& report) {
  for (const std::string& code : report.codes) {
    const auto sign = std::ranges::find(kCodes, code, &Sign::words);
    if (sign != kCodes.end()) return sign->kind;
  }
  const std::string own_words = lower(report.message.substr(0, kOwnWords));
  const auto sign = std::ranges::find_if(kPhrases, [&](const Sign& candidate) {
    return own_words.find(candidate.words) != std::string::npos;
  });
  if (sign != kPhrases.end()) return sign->kind;
  return std::nullopt;
}

ErrorKind kind_of(int status, const Report& report, std::string_view lower_text) {
  // Anthropic's "credit balance is too low" is a 400, as is Gemini's wrong key; OpenAI says 429
  // when the money is gone. 422 is left out: it may quote the request from its first word.
  const bool may_last = status >= 400 && status < 500 && status != 422;
  std::optional<ErrorKind> lasting;
  if (may_last) lasting = find_lasting_kind(report);
  if (status == 429 || status == 529) return lasting.value_or(ErrorKind::RateLimited);
  if (status == 400 || status == 403 || status == 413 || status == 422) {
    if (says_too_long(lower_text)) return ErrorKind::ContextTooLong;
    if (says_filtered(lower_text)) return ErrorKind::Refused;
  }
  if (says_slow_down(lower_text)) return ErrorKind::RateLimited;
  if (status == 401 || status == 402 || status == 403 || status == 407)
    return ErrorKind::Unauthorized;
  if (lasting) return *lasting;
  if (status == 404 || status == 405 || status == 410 || (status >= 300 && status < 400))
    return ErrorKind::NotFound;
  if (status == 408 || status == 409 || status == 424 || status == 425 || status >= 500)
    return ErrorKind::Transient;
  if (status >= 400) return ErrorKind::Invalid;
  return ErrorKind::Transient;
}

std::string render_sentence(const Report& report) {
  std::string text = printable(shorten(report.message, kLongestErrorText));
  if (!report.shown_code.empty())
    text += fmt::format(" ({})", printable(shorten(report.shown_code, 80)));
  return text;
}

std::string render_url(std::string_view url) {
  return printable(shorten(without_credentials(url), 200));
}

bool is_page(std::string_view text) {
  const std::string start = lower(text.substr(0, 64));
  return start.starts_with("<!doctype") || start.starts_with("<html") || start.starts_with("<?xml");
}

}  // namespace

Error read_http_error(int status, std::string_view body, std::string_view url) {
  const std::string text = make_utf8(body.substr(0, kLargestErrorBody));
  const Report report = read_report(text);
  const ErrorKind kind = kind_of(status, report, lower(text));
  if (status >= 300 && status < 400)
    return {kind,
            fmt::format("HTTP {}: the server redirects elsewhere; correct the base URL", status)};
  std::string message = fmt::format("HTTP {}", status);
  if (is_page(trim(text)))
    message += fmt::format(": a web page, not an API's answer: {}",
                           printable(shorten(trim(text), kLongestExcerpt)));
  else if (!report.message.empty())
    message += ": " + render_sentence(report);
  const bool names_model = lower(report.message).find("model") != std::string::npos;
  if ((status == 404 || status == 405) && !names_model && !url.empty())
    message += fmt::format(" (asked at {}; check the base URL)", render_url(url));
  return {kind, std::move(message)};
}

Error read_reported_error(const Json& error) {
  const Report report = read_error_member(error);
  const std::string text = lower(render_json(error).substr(0, kLargestErrorBody));
  const std::string sentence = render_sentence(report);
  if (report.status)
    return {kind_of(*report.status, report, text),
            fmt::format("the server reports error {}: {}", *report.status, sentence)};
  const auto has_code = [&](std::string_view code) {
    return std::ranges::find(report.codes, code) != report.codes.end();
  };
  ErrorKind kind = find_lasting_kind(report).value_or(ErrorKind::Transient);
  if (has_code("rate_limit_error") || has_code("rate_limit_exceeded") ||
      has_code("overloaded_error"))
    kind = ErrorKind::RateLimited;
  else if (says_too_long(text))
    kind = ErrorKind::ContextTooLong;
  return {kind, fmt::format("the server reports: {}", sentence)};
}

Result<Json> read_json(const http::Response& response, std::string_view url) {
  if (response.status < 200 || response.status >= 300)
    return std::unexpected(read_http_error(response.status, response.body, url));
  const std::string_view body = trim(response.body);
  if (body.empty())
    return fail(ErrorKind::Transient, "{} sent an empty answer (HTTP {}); check the base URL",
                render_url(url), response.status);
  auto json =
      is_utf8(response.body) ? parse_json(response.body) : parse_json(make_utf8(response.body));
  if (json) return json;
  const std::string excerpt = printable(shorten(make_utf8(body.substr(0, 1024)), kLongestExcerpt));
  if (is_page(body))
    return fail(ErrorKind::Transient,
                "{} answered with a web page instead of JSON; check the base URL: {}",
                render_url(url), excerpt);
  return fail(ErrorKind::Transient, "the answer of {} is {}: {}", render_url(url),
              json.error().message, excerpt);
}

}  // namespace personascope::llm
