// What the ask chain has done so far: the numbers behind a progress bar and a run's summary.
#pragma once

#include <cstdint>
#include <string>

namespace personascope::llm {

struct Meter {
  std::int64_t in_flight = 0;     // requests on the wire now
  std::int64_t sent = 0;          // requests sent, retries included
  std::int64_t answered = 0;      // calls the provider answered
  std::int64_t from_journal = 0;  // calls answered without asking
  std::int64_t joined = 0;        // calls that shared the answer of an equal draw in flight
  std::int64_t retried = 0;
  std::int64_t rate_limited = 0;  // requests that the server refused for being too many
  std::int64_t failed = 0;        // calls that ended without an answer
  std::int64_t ended = 0;         // calls, however they ended, except those cancelled
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  double cost_usd = 0;
  std::int64_t unpriced = 0;  // answered calls whose cost is not known
};

}  // namespace personascope::llm
