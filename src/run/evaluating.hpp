// Carries out an evaluation of the `eval` layer: its work under a session, its items' outcomes into
// the store, their lines into a file, its findings beside the run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/evaluation.hpp"
#include "run/estimate.hpp"
#include "run/explain.hpp"
#include "run/options.hpp"
#include "run/run.hpp"

namespace personascope::run {

// Makes the evaluation with the models that it asks for; called before a run is stored.
using MakeEvaluation =
    std::function<Result<std::unique_ptr<eval::Evaluation>>(const eval::FindModel& find_model)>;

struct EvaluationPlan {
  std::string command;                  // "gym"
  Json plan;                            // what the evaluation was told, as `resume` needs it
  std::optional<std::string> output;    // lines of the items; kStandardOutput, or an absolute path
  std::optional<std::string> base_url;  // of the models that `own_address` names
  std::vector<std::string> own_address;
  EngineOptions engine;
};

// Checks, stores a new run, and starts it; `version` is the program's. `make` is called before this
// returns. What the environment refers to must outlive the run.
Result<Run> start_evaluation(const RunEnvironment& environment, EvaluationPlan plan,
                             const MakeEvaluation& make, std::string_view version);

// The same for a stored run, which continues where it stopped.
Result<Run> resume_evaluation(const RunEnvironment& environment, store::RunRecord run,
                              EvaluationPlan plan, const MakeEvaluation& make);

// What a replay of the run would miss (only for `item`, if given), and how it differs from what is
// stored. Sends nothing; `make` must make an evaluation whose work writes no files. Fails as
// Invalid if the run has no such item.
Result<std::vector<MissExplanation>> explain_evaluation_misses(
    const RunEnvironment& environment, const store::RunRecord& run, const EvaluationPlan& plan,
    const MakeEvaluation& make, const std::optional<std::string>& item);

// One estimate a model and role. Calls that are in the journal already are not told apart: what an
// evaluation asks depends on answers.
Result<std::vector<Estimate>> estimate_evaluation(const RunEnvironment& environment,
                                                  const EvaluationPlan& plan,
                                                  const MakeEvaluation& make);

}  // namespace personascope::run
