#include "llm/providers/rate_headers.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace personascope::llm {
namespace {

struct Names {
  std::string_view remaining;
  std::string_view limit;
  std::string_view reset;
};

constexpr std::array kCallNames{
    Names{"x-ratelimit-remaining-requests", "x-ratelimit-limit-requests",
          "x-ratelimit-reset-requests"},
    Names{"anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-limit",
          "anthropic-ratelimit-requests-reset"},
    Names{"x-ratelimit-remaining", "x-ratelimit-limit", "x-ratelimit-reset"},
};

constexpr std::array kTokenNames{
    Names{"x-ratelimit-remaining-tokens", "x-ratelimit-limit-tokens", "x-ratelimit-reset-tokens"},
    Names{"anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-limit",
          "anthropic-ratelimit-tokens-reset"},
};

// "Reset" is when the allowance is whole again; a twentieth of it is back after a twentieth of the
// time, and waiting for more would leave the account idle.
constexpr double kShareToWaitFor = 0.05;

// A wait, or the moment itself as seconds or milliseconds since 1970.
std::optional<milliseconds> find_reset(std::string_view text,
                                       std::chrono::system_clock::time_point now) {
  constexpr double kEpochSeconds = 1e9, kEpochMilliseconds = 1e12;
  const auto number = find_number_in(trim(text));
  if (!number || !(*number >= kEpochSeconds && *number < 1e15)) return find_wait(text, now);
  const double at_ms = *number >= kEpochMilliseconds ? *number : *number * 1000;
  const double now_ms = std::chrono::duration<double, std::milli>(now.time_since_epoch()).count();
  return milliseconds(static_cast<long long>(std::max(0.0, at_ms - now_ms)));
}

struct Window {
  std::optional<std::int64_t> remaining;
  std::optional<milliseconds> wait;
};

template <std::size_t N>
Window read_window(const http::Response& response, const std::array<Names, N>& table,
                   std::chrono::system_clock::time_point now) {
  for (const Names& names : table) {
    const auto remaining = http::find_header(response, names.remaining);
    if (!remaining) continue;
    Window window;
    if (const auto count = find_integer_in(*remaining)) window.remaining = *count;
    const auto reset = http::find_header(response, names.reset);
    if (reset) window.wait = find_reset(*reset, now);
    if (window.wait && http::find_header(response, names.limit))
      window.wait = milliseconds(
          static_cast<long long>(static_cast<double>(window.wait->count()) * kShareToWaitFor));
    return window;
  }
  return {};
}

}  // namespace

sched::PaceHint read_rate_headers(const http::Response& response,
                                  std::chrono::system_clock::time_point now) {
  sched::PaceHint hint;
  if (const auto in_ms = http::find_header(response, "retry-after-ms")) {
    if (const auto number = find_number_in(*in_ms); number && *number >= 0 && *number < 1e9)
      hint.retry_after = milliseconds(static_cast<long long>(*number));
  } else if (const auto wait = http::find_header(response, "retry-after")) {
    hint.retry_after = find_wait(*wait, now);
  }
  const Window calls = read_window(response, kCallNames, now);
  hint.remaining_calls = calls.remaining;
  hint.calls_reset = calls.wait;
  const Window tokens = read_window(response, kTokenNames, now);
  hint.remaining_tokens = tokens.remaining;
  hint.tokens_reset = tokens.wait;
  return hint;
}

}  // namespace personascope::llm
