// From the options of the gym to its plan: everything is checked that can be checked before
// anything is sent.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personagym/plan.hpp"
#include "eval/planning.hpp"

namespace personascope::eval::personagym {

struct GymRequest {
  std::string_view stage = "run";  // or "questions", "answer", "grade"
  GymOptions options{};
  RunOptions run{};
  bool fresh = false;  // no earlier answer is re-used
};

// Reads the files and folders that the options name; writes nothing. Fails as Invalid or NotFound,
// naming the option.
Result<GymPlan> make_gym_plan(const PlanContext& context, const GymRequest& request);

// All options of a stage but those of the engine.
std::vector<core::OptionSpec> list_gym_options(std::string_view stage);

// The evaluation that the given options describe: an object of gym_options(), run_options() and
// `fresh`.
Result<PreparedEvaluation> prepare_gym(const PlanContext& context, std::string_view stage,
                                       const Json& given);

// The evaluation of a stored plan. Fails as Invalid if it is not one of the gym.
Result<PreparedEvaluation> load_gym(const Json& stored);

// The name as "provider/model": bare names are routed as the published program routes them ("gpt"
// to openai, "claude" to anthropic, "llama" to together).
std::string route_model_name(const std::string& name);

}  // namespace personascope::eval::personagym
