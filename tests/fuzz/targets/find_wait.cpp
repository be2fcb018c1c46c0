// The forms in which servers say how long to wait.
#include "base/clock.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(find_wait, bytes) {
  for (const seconds now : {seconds{0}, seconds{1'800'000'000}}) {
    const auto wait = find_wait(bytes, std::chrono::system_clock::time_point(now));
    if (!wait) continue;
    fuzz::require(*wait >= milliseconds{0}, "a wait is not negative");
    fuzz::require(*wait <= std::chrono::days{7}, "a wait is at most a week");
    render_duration(*wait);
  }
}
