// The stored results of judges and of likelihood readers as findings.
#pragma once

#include "base/json.hpp"
#include "core/findings.hpp"

namespace personascope::judge {

// Of `personascope judge`: Tally::summarize.
core::Findings describe_judging(const Json& results);

// Of `personascope lift`: LikelihoodSummary.
core::Findings describe_lift(const Json& results);

// The same figures as parts of another evaluation's findings.
void add_likelihood(core::Findings& findings, const Json& likelihood);

// [{"judge" or "critic", "mean", "counts" or "scored" and "n"}]: what judges gave answers that
// deserve nothing, as a share of full marks. `scale` is what the means are on.
void add_canaries(core::Findings& findings, const Json& canaries, const core::Interval& scale);

}  // namespace personascope::judge
