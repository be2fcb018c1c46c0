// What headers say about a provider's limits. Input: "name: value" lines.
#include "llm/providers/rate_headers.hpp"

#include "property.hpp"

using namespace personascope;

static void check_wait(const std::optional<milliseconds>& wait) {
  fuzz::require(!wait || (*wait >= milliseconds{0} && *wait <= std::chrono::days{12}),
                "a wait is neither negative nor endless");
}

FUZZ_TARGET(rate_headers, bytes) {
  http::Response response;
  for (const std::string_view line : split(bytes, '\n')) {
    const std::size_t colon = line.find(": ");
    if (colon == line.npos) continue;
    response.headers.push_back(
        {std::string(line.substr(0, colon)), std::string(line.substr(colon + 2))});
  }
  const std::chrono::system_clock::time_point now{std::chrono::seconds{1'800'000'000}};
  const sched::PaceHint hint = llm::read_rate_headers(response, now);
  check_wait(hint.retry_after);
  check_wait(hint.calls_reset);
  check_wait(hint.tokens_reset);
  // Pacing adds them to the present time.
  sched::Pacing pacing({.calls_per_minute = 60, .tokens_per_minute = 1000});
  pacing.on_sent(10, TimePoint{});
  pacing.on_answer(hint, 10, 12, TimePoint{});
  fuzz::require(pacing.ready_at(10, TimePoint{}) >= TimePoint::min(), "there is a next call");
}
