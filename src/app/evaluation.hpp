// What the evaluations share as commands: each makes its plan of what was typed, and is then
// started, estimated, resumed and scored again in one way.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/planning.hpp"
#include "run/estimate.hpp"
#include "run/evaluating.hpp"
#include "run/explain.hpp"
#include "run/options.hpp"
#include "run/run.hpp"

namespace personascope::app {

using EvaluationSetup = eval::PreparedEvaluation;
using eval::make_with;

// What was typed replaces what the plan has.
template <class Value, class Given>
void set_if(Value& value, const std::optional<Given>& given) {
  if (given) value = *given;
}

// How it is to be carried out.
struct EvaluationFlags {
  std::optional<std::string> output;  // lines of items; as it was typed
  std::optional<std::string> base_url;
  run::EngineOptions engine;
};

// Checks everything that can be checked before anything is spent, then starts the run.
Result<run::Run> start_evaluation(Context& context, const EvaluationSetup& setup,
                                  const EvaluationFlags& flags, const Listener& listener);

// What it would take, by model and role. Sends nothing and stores nothing.
Result<std::vector<run::Estimate>> estimate_evaluation(Context& context,
                                                       const EvaluationSetup& setup,
                                                       const EvaluationFlags& flags);

// Goes on with a stored run; `over` replaces what the plan says, `base_url` its address.
Result<run::Run> resume_run(Context& context, std::int64_t run, const run::EngineOptions& over,
                            const std::optional<std::string>& base_url, const Listener& listener);

// A new run with the answers of an old one, in which only the judges are asked again. What the old
// one has written stays: `output` is demanded if it has written a file, and no other file is
// written.
Result<run::Run> rescore_run(Context& context, std::int64_t run,
                             const std::optional<std::string>& output,
                             const run::EngineOptions& over,
                             const std::optional<std::string>& base_url, const Listener& listener);

// What a replay of the run would miss (only for `item`, if given), and how it differs from what is
// stored. Sends and writes nothing.
Result<std::vector<run::MissExplanation>> explain_misses(Context& context, std::int64_t run,
                                                         const std::optional<std::string>& item);

}  // namespace personascope::app
