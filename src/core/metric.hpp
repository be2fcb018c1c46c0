// A number that an evaluation found, with its interval and counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "core/outcome.hpp"

namespace personascope::core {

struct Interval {
  double low = 0;
  double high = 0;
};

// Units of metrics. A difference of two shares is in the same unit as they are.
inline constexpr const char* kScoreUnit = "score";  // of a rubric's scale
inline constexpr const char* kShareUnit = "share";  // 0 to 1
inline constexpr const char* kNatsUnit = "nats per token";
inline constexpr const char* kCountUnit = "count";
inline constexpr const char* kNumberUnit = "number";

struct Metric {
  std::string name;   // "PersonaScore"
  std::string group;  // what it is of, where there are several: a task, a mode; may be empty
  std::optional<double> value;
  std::optional<Interval> interval;  // at `confidence`
  std::string no_interval;           // the reason if there is none: "needs 5 personas"
  double confidence = 0.95;
  std::int64_t n = 0;             // items that it was computed from
  std::int64_t clusters = 0;      // personas or users of these items; 0: not clustered
  std::string unit;               // one of the above
  std::optional<Interval> scale;  // the ends of the scale, if it has ends
  bool is_difference = false;
  std::optional<double> p;           // of no difference
  std::optional<double> adjusted_p;  // for the number of comparisons
  std::optional<OutcomeCounts> outcomes;
  std::optional<Interval> bounds;  // if all items without a score had the lowest, or the highest
};

// The member [low, high]; nothing if it is missing or not two numbers.
std::optional<Interval> find_interval(const Json& value, const char* member);
// [low, high], or null.
Json to_json(const std::optional<Interval>& interval);

Json to_json(const Metric& metric);
// Members that are missing or of another type get their defaults: a stored metric is outside data.
Metric read_metric(const Json& value);

}  // namespace personascope::core
