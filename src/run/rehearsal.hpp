// Carries out an evaluation from the journal alone, to explain what a replay would miss.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "run/evaluation_plan.hpp"
#include "run/explain.hpp"

namespace personascope::run {

// What a replay of the run would miss (only for `item`, if given), and how it differs from what is
// stored. Sends nothing; `make` must make an evaluation whose work writes no files. Fails as
// Invalid if the run has no such item.
Result<std::vector<MissExplanation>> explain_evaluation_misses(
    const RunEnvironment& environment, const store::RunRecord& run, const EvaluationPlan& plan,
    const MakeEvaluation& make, const std::optional<std::string>& item);

}  // namespace personascope::run
