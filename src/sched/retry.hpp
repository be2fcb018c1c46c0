// How long to wait before trying a failed call again. The only retry rule of the program.
#pragma once

#include <optional>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "base/result.hpp"

namespace personascope::sched {

struct RetryPolicy {
  int max_retries = 8;
  milliseconds first_wait{50};
  milliseconds longest_wait{60'000};
};

// Only faults that may pass are worth a second try.
bool is_worth_retrying(ErrorKind kind);

// The wait before retry number `retry` (from 1): doubles five times, then grows fourfold, so that a
// fault of one call costs little time and a lasting one does not use the retries up in seconds.
// With jitter, so that many callers do not come back together; at least what the server asked for.
// Nothing once the retries are used up.
std::optional<milliseconds> find_retry_wait(const RetryPolicy& policy, int retry,
                                            std::optional<milliseconds> retry_after,
                                            Random& random);

}  // namespace personascope::sched
