// Points in time: the steady clock for durations, UTC text for records.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace personascope {

using SteadyClock = std::chrono::steady_clock;
using TimePoint = SteadyClock::time_point;
using Duration = SteadyClock::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;

// "2026-11-15T03:41:00Z".
std::string render_utc(std::chrono::system_clock::time_point at);
std::string utc_now();
// The same without punctuation, "20261115T034100Z", as AWS signs it.
std::string render_compact_utc(std::chrono::system_clock::time_point at);

// "1m30s", "20ms", "1h", "45" (seconds) or "2026-11-15T03:41:00Z" relative to now: the forms in
// which servers tell how long to wait. An HTTP date ("Sun, 15 Nov 2026 03:41:00 GMT") too.
// Never negative, never more than a week.
std::optional<milliseconds> find_wait(std::string_view text,
                                      std::chrono::system_clock::time_point now);

// "850 ms", "12 s", "3 min 05 s", "2 h 10 min", for people.
std::string render_duration(Duration duration);

}  // namespace personascope
