// McNemar's test: did the same items pass in one run and fail in the other more often than back?
//
// Only for independent pairs, one pair per cluster; otherwise use sign_flip_test.
#pragma once

#include <cstddef>

#include "stats/estimate.hpp"

namespace personascope::stats {

enum class McNemarMethod {
  Exact,      // the default; never too small a p-value
  MidP,       // less conservative
  ChiSquare,  // with continuity correction; for comparison with other programs
};

// `only_first` pairs passed in the first run alone, `only_second` in the second alone. Without
// any such pair there is no evidence, and p is 1.
TestResult mcnemar(std::size_t only_first, std::size_t only_second,
                   McNemarMethod method = McNemarMethod::Exact);

}  // namespace personascope::stats
