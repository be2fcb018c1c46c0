// How far a run is: what a bar, a log line or a web page shows of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "core/outcome.hpp"
#include "llm/meter.hpp"

namespace personascope::run {

struct Progress {
  std::int64_t run = 0;
  std::int64_t items = 0;
  std::int64_t expected_calls = 0;  // about; 0: nobody knows
  core::OutcomeCounts outcomes;
  llm::Meter meter;
  Duration elapsed{0};
  double calls_per_second = 0;        // over the last seconds
  std::optional<Duration> time_left;  // nothing until there is something to judge by
  std::string waiting_for;            // in words; empty if nothing unusual
  bool stopping = false;
};

std::int64_t done(const Progress& progress);
// By calls while less than 95 % of the expected ones have ended, since many items may be half done;
// else by items. Nothing before a tenth of the calls or an item is done, while calls wait to be
// retried, and while the run is being stopped.
std::optional<Duration> find_time_left(const Progress& progress);
Json to_json(const Progress& progress);

// Called now and then while a run goes on, and once at its end; on the loop's thread, so it must be
// quick.
using ProgressSink = std::function<void(const Progress&)>;

// The rate of something counted, over the last ten seconds or so.
class RateMeter {
 public:
  // `count` so far at `now`; returns the rate a second.
  double update(std::int64_t count, TimePoint now);

 private:
  std::optional<TimePoint> last_at_;
  std::int64_t last_count_ = 0;
  double counted_ = 0;  // both fade with time; their ratio is the rate
  double seconds_ = 0;
  double rate_ = 0;
};

}  // namespace personascope::run
