// An evaluation of the `eval` layer with all that is needed to carry it out as a run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/evaluation.hpp"
#include "eval/planning.hpp"
#include "run/environment.hpp"
#include "run/model_set.hpp"
#include "run/options.hpp"

namespace personascope::run {

using eval::MakeEvaluation;

struct EvaluationPlan {
  std::string command;                  // "gym"
  Json plan;                            // what the evaluation was told, as `resume` needs it
  std::optional<std::string> output;    // lines of the items; kStandardOutput, or an absolute path
  std::optional<std::string> base_url;  // of the models that `own_address` names
  std::vector<std::string> own_address;
  EngineOptions engine;
};

// The plan as it is stored has `output` (a whole path), the address without its secrets and the
// engine's options beside what the evaluation was told.
EvaluationPlan make_evaluation_plan(const eval::PreparedEvaluation& prepared,
                                    const std::optional<std::string>& output,
                                    const std::optional<std::string>& base_url,
                                    const EngineOptions& engine);

// An evaluation and the models that it asks.
struct MadeEvaluation {
  std::unique_ptr<ModelSet> models;
  std::unique_ptr<eval::Evaluation> evaluation;
};

// Checks the models' names, keys and prices; sends nothing.
Result<MadeEvaluation> make_with_models(const RunEnvironment& environment,
                                        const EvaluationPlan& plan, const MakeEvaluation& make);

}  // namespace personascope::run
