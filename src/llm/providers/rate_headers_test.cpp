#include "llm/providers/rate_headers.hpp"

#include <gtest/gtest.h>

namespace personascope::llm {
namespace {

// 2026-11-15T03:41:00Z
const auto kNow = std::chrono::system_clock::from_time_t(1794714060);

sched::PaceHint read(std::vector<http::Header> headers) {
  http::Response response;
  response.headers = std::move(headers);
  return read_rate_headers(response, kNow);
}

TEST(RateHeaders, ReadsRetryAfterInAllItsForms) {
  const std::pair<const char*, long long> forms[] = {{"2", 2000},
                                                     {"0", 0},
                                                     {"1.5", 1500},
                                                     {"20ms", 20},
                                                     {"1m30s", 90'000},
                                                     {"Sun, 15 Nov 2026 03:42:00 GMT", 60'000},
                                                     {"2026-11-15T03:41:10Z", 10'000},
                                                     {"Sun, 15 Nov 2026 03:00:00 GMT", 0}};
  for (const auto& [text, wait] : forms)
    EXPECT_EQ(read({{"retry-after", text}}).retry_after, milliseconds(wait)) << text;
  EXPECT_EQ(read({{"retry-after-ms", "250"}, {"retry-after", "9"}}).retry_after, milliseconds(250));
}

TEST(RateHeaders, LeavesOutWhatItCannotRead) {
  for (const char* text : {"", "soon", "-", "1x", "nan", "99999999999999999999999999"}) {
    const auto wait = read({{"retry-after", text}}).retry_after;
    EXPECT_TRUE(!wait || *wait <= milliseconds(7LL * 24 * 3600 * 1000)) << text;
  }
  EXPECT_FALSE(read({{"retry-after-ms", "-5"}}).retry_after);
  EXPECT_FALSE(read({{"x-ratelimit-remaining-requests", "many"}}).remaining_calls);
  EXPECT_FALSE(read({}).remaining_tokens);
}

TEST(RateHeaders, ReadsTheWindowsOfTheProviders) {
  const auto openai = read({{"x-ratelimit-limit-requests", "100"},
                            {"x-ratelimit-remaining-requests", "0"},
                            {"x-ratelimit-reset-requests", "20s"},
                            {"x-ratelimit-remaining-tokens", "17"},
                            {"x-ratelimit-reset-tokens", "6m0s"}});
  EXPECT_EQ(openai.remaining_calls, 0);
  EXPECT_EQ(openai.calls_reset, milliseconds(1000)) << "a twentieth of the window is enough";
  EXPECT_EQ(openai.remaining_tokens, 17);
  EXPECT_EQ(openai.tokens_reset, milliseconds(360'000));
  const auto anthropic = read({{"anthropic-ratelimit-requests-remaining", "0"},
                               {"anthropic-ratelimit-requests-reset", "2026-11-15T03:41:30Z"}});
  EXPECT_EQ(anthropic.calls_reset, milliseconds(30'000));
}

TEST(RateHeaders, ReadsAMomentForAMoment) {
  for (const char* reset : {"1794714090", "1794714090000"})
    EXPECT_EQ(read({{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", reset}}).calls_reset,
              milliseconds(30'000))
        << reset;
  EXPECT_EQ(read({{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1694714090"}}).calls_reset,
            milliseconds(0));
}

}  // namespace
}  // namespace personascope::llm
