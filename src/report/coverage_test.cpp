#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/coverage_cases_test.hpp"

namespace personascope::report {
namespace {

// How far a share of so many runs may be off the one asked for, in percent: 2.75 standard errors.
double slack_of(double percent, std::size_t runs) {
  const double share = std::clamp(percent / 100, 0.02, 0.98);
  return 275 * std::sqrt(share * (1 - share) / static_cast<double>(runs));
}

// A quick version of perf_coverage: it tells 82 % from 95 % in the cases with 100 runs, and an
// interval that is missing or far too narrow in all of them.
TEST(Coverage, IsNearWhatIsAskedForInEveryQuickCase) {
  std::size_t cases = 0;
  for (const CoverageCase& one : list_coverage_cases()) {
    if (one.quick_runs == 0) continue;
    ++cases;
    const CaseResult result = run_case(one, one.quick_runs);
    // Personas too rare to be seen cannot be covered; then a caveat must say so.
    EXPECT_GE(result.percent_or_caveat, one.low - slack_of(one.low, one.quick_runs)) << one.title;
    EXPECT_LE(result.percent, one.high + slack_of(one.high, one.quick_runs)) << one.title;
  }
  EXPECT_GE(cases, 10u);
}

}  // namespace
}  // namespace personascope::report
