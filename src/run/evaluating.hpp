// Carries out an evaluation of the `eval` layer: its work under a session, its items' outcomes into
// the store, lines of them into a file, its findings beside the run.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "run/evaluation_plan.hpp"
#include "run/run.hpp"

namespace personascope::run {

// Checks, stores a new run, and starts it; `version` is the program's. `make` is called before this
// returns. What the environment refers to must outlive the run.
Result<Run> start_evaluation(const RunEnvironment& environment, EvaluationPlan plan,
                             const MakeEvaluation& make, std::string_view version);

// Likewise for a stored run, from where it stands.
Result<Run> resume_evaluation(const RunEnvironment& environment, store::RunRecord run,
                              EvaluationPlan plan, const MakeEvaluation& make);

}  // namespace personascope::run
