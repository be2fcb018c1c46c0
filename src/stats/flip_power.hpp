// What a sign-flip test could have found.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.hpp"
#include "stats/planning.hpp"
#include "stats/sign_flip.hpp"

namespace personascope::stats {

// What a difference rests on.
struct FlipDesign {
  std::span<const std::size_t> sizes;  // the clusters' rows
  double standard_error = 0;           // of the mean difference
  double df = 0;
  // The sum of a cluster that was not seen and takes part in the test (FlipInput), near an end of
  // the scale.
  std::optional<double> unseen = {};
};

// The smallest true difference that a sign-flip test at `plan.alpha` finds with the planned power,
// if the clusters' differences are normal. Up to 12 clusters the test itself is simulated (few
// patterns of signs make it coarse); above, it is as good as the t test. With an unseen cluster
// both tests must find it (up to 300 clusters; above, it does not matter). Fails where so few
// clusters can never reach `plan.alpha`, and as minimum_detectable_difference does.
Result<double> detectable_by_sign_flip(const FlipDesign& design, const TestPlan& plan = {});

// The same for one of several comparisons, which share a level: it is found if its statistic is at
// least the critical one. Fails where there is none, or where so few clusters never reach it.
Result<double> detectable_among_several(const FlipDesign& design, const SharedLevel& shared,
                                        double power = 0.8);

}  // namespace personascope::stats
