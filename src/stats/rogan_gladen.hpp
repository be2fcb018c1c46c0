// A judge's pass rate corrected by its known error rates (Rogan and Gladen).
//
// The human labels need not be a random subset, only the error rates must carry over; the price is
// a wide interval. Where labels are a random subset prediction_powered_mean is narrower.
#pragma once

#include <cstddef>

#include "stats/estimate.hpp"

namespace personascope::stats {

struct JudgeCounts {
  std::size_t judged = 0;  // items the judge alone decided
  std::size_t judged_pass = 0;
  std::size_t human_fail = 0;      // labelled items that a human failed
  std::size_t judge_fail_too = 0;  // of those, the judge failed as well (specificity)
  std::size_t human_pass = 0;      // labelled items that a human passed
  std::size_t judge_pass_too = 0;  // of those, the judge passed as well (sensitivity)
};

// The true rate with the adjusted estimate and interval of Lang and Reiczigel (2014), which add a
// few pseudo-observations to every count. Fails if a count is 0 where one is needed or exceeds its
// whole, and if the judge is no better than chance.
Result<Estimate> rogan_gladen(const JudgeCounts& counts, double confidence = 0.95);

// The plain corrected rate, not cut off at 0 and 1.
Result<double> rogan_gladen_plain(const JudgeCounts& counts);

}  // namespace personascope::stats
