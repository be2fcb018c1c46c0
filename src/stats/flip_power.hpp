// What a sign-flip test could have found.
#pragma once

#include <cstddef>
#include <span>

#include "stats/estimate.hpp"
#include "stats/planning.hpp"
#include "stats/sign_flip.hpp"

namespace personascope::stats {

// The smallest true difference that a sign-flip test at `plan.alpha` finds with the planned power,
// if the clusters' differences are normal. `sizes` are the clusters' rows; `standard_error` and
// `df` are those of the mean difference. Up to 12 clusters the test itself is simulated (few
// patterns of signs make it coarse); above, it is as good as the t test. Fails where so few
// clusters can never reach `plan.alpha`, and as minimum_detectable_difference does.
Result<double> detectable_by_sign_flip(std::span<const std::size_t> sizes, double standard_error,
                                       double df, const TestPlan& plan = {});

// The same for one of several comparisons, which share a level: it is found if its statistic is at
// least the critical one. Fails where there is none, or where so few clusters never reach it.
Result<double> detectable_among_several(std::span<const std::size_t> sizes, double standard_error,
                                        double df, const SharedLevel& shared, double power = 0.8);

}  // namespace personascope::stats
