#include "http/loopback/admission.hpp"

#include "base/json.hpp"

namespace personascope::http::loopback {
namespace {

constexpr double kBytesPerToken = 4;

}  // namespace

double find_token_cost(const std::string& body) {
  const auto json = parse_json(body);
  const auto most = json ? find_integer(*json, "max_tokens") : std::nullopt;
  return static_cast<double>(body.size()) / kBytesPerToken + static_cast<double>(most.value_or(0));
}

Admission::Admission(const AdmissionOptions& options)
    : options_(options),
      calls_(options.rate_limit, options.burst_seconds),
      token_bucket_(options.tokens_per_minute / 60, options.burst_seconds) {}

std::optional<Admission::Decision> Admission::find_refusal(const LoopbackRequest& request,
                                                           TimePoint now) {
  const auto refuse = [&](std::string message, std::chrono::duration<double> wait) {
    if (options_.retry_after) wait = seconds(*options_.retry_after);
    return Decision{Verdict::Refuse, 429, std::move(message), wait};
  };
  if (options_.concurrency_limit > 0 && request.in_flight > options_.concurrency_limit)
    return refuse("Too many requests at once", seconds(1));
  if (options_.rate_limit > 0)
    if (const auto wait = calls_.take(1, now)) return refuse("Rate limit reached", *wait);
  if (options_.tokens_per_minute > 0) {
    const double tokens = find_token_cost(request.body);
    if (const auto wait = token_bucket_.take(tokens, now))
      return refuse("Rate limit of tokens reached", *wait);
    tokens_ += static_cast<std::uint64_t>(tokens);
  }
  return std::nullopt;
}

Admission::Decision Admission::decide(const LoopbackRequest& request, TimePoint now) {
  if (!first_at_) first_at_ = now;
  const Duration since = now - *first_at_;
  if (since >= options_.outage_after && since < options_.outage_after + options_.outage_for)
    return {options_.outage_status == 0 ? Verdict::Close : Verdict::Fail, options_.outage_status};
  if (auto refusal = find_refusal(request, now)) return *refusal;
  const double drawn = options_.fail_share + options_.cut_share > 0 ? random_.unit() : 1;
  if (drawn < options_.fail_share) return {Verdict::Fail, options_.fail_status};
  if (drawn < options_.fail_share + options_.cut_share) return {Verdict::Cut};
  return {};
}

}  // namespace personascope::http::loopback
