// Whether a run is equivalent to the first one, or at least not worse, by a margin: two one-sided
// tests (TOST), by the interval of the paired difference at 1 - 2 alpha.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "report/compare.hpp"
#include "stats/estimate.hpp"

namespace personascope::report {

enum class MarginVerdict {
  Equivalent,  // the interval lies within the margin on both sides
  Better,      // claimed by the paired test, and may be by more than the margin
  Worse,       // the same for a loss
  Undecided,   // the interval reaches beyond the margin, and no difference is claimed
};
std::string_view name_of(MarginVerdict verdict);

struct MarginTest {
  std::string run;
  double margin = 0;
  MarginVerdict verdict = MarginVerdict::Undecided;
  bool is_not_worse = false;  // non-inferior: the interval's worse end is within the margin
  std::optional<stats::Interval> interval;  // of the difference, at `confidence`
  double confidence = 0.9;
  // Clusters that would show with a chance of 80 % that the run is not worse, if the true
  // difference is 0; nothing where it is shown already or the spread is unknown.
  std::optional<std::size_t> clusters_needed;
  std::string why;  // there is no interval; else empty
};

// Where no item differs, there is no spread to go by: then the interval allows for the share of
// items that may differ without one of n being seen (1 - alpha^(1/n)), by the whole scale.
MarginTest test_margin(const RunDifference& difference, double margin, const Comparison& all);

Json to_json(const MarginTest& test);

}  // namespace personascope::report
