// What an answer's headers say about the provider's limits.
#pragma once

#include <chrono>

#include "http/client.hpp"
#include "sched/pacing.hpp"

namespace personascope::llm {

// Reads Retry-After (seconds, date, or milliseconds in retry-after-ms), x-ratelimit-* and
// anthropic-ratelimit-*. Unreadable values are left out.
sched::PaceHint read_rate_headers(const http::Response& response,
                                  std::chrono::system_clock::time_point now);

}  // namespace personascope::llm
