// What a run would take, before anything is spent.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "llm/call.hpp"
#include "run/environment.hpp"
#include "run/evaluation_plan.hpp"
#include "run/options.hpp"

namespace personascope::run {

struct Estimate {
  std::string model;
  std::int64_t lines = 0;
  std::int64_t from_journal = 0;  // answered already
  std::int64_t calls = 0;         // still to be sent
  std::int64_t input_tokens = 0;
  std::int64_t max_output_tokens = 0;
  std::optional<double> max_cost_usd;  // nothing if the price is unknown
  std::optional<double> seconds;       // nothing until a call to the model was timed
};

Json to_json(const Estimate& estimate);

// Adds up the calls to one model. Model and environment outlive it.
class CallEstimator {
 public:
  CallEstimator(const RunEnvironment& environment, const llm::Model& model,
                const EngineOptions& engine);

  // A call that the run would make; equal ones are sent once. Fails if the store cannot be read.
  Result<void> add(const core::Request& request, const llm::Draw& draw);

  // For `lines` lines of input; the time is judged by earlier calls in that role.
  Result<Estimate> finish(std::int64_t lines, std::string_view role) const;

 private:
  const RunEnvironment& environment_;
  const llm::Model& model_;
  const EngineOptions& engine_;
  std::set<Digest> seen_;
  Estimate estimate_;
};

// One estimate a model where the evaluation's calls are known before; those in the journal cost
// nothing then. Else one a model and role by its forecast, in which calls that are in the journal
// already are not told apart: what is asked depends on answers. Sends nothing.
Result<std::vector<Estimate>> estimate_evaluation(const RunEnvironment& environment,
                                                  const EvaluationPlan& plan,
                                                  const MakeEvaluation& make);

}  // namespace personascope::run
