// From the options of the lens to its plan: everything is checked that can be checked before
// anything is sent.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personalens/lens.hpp"
#include "eval/personalens/plan.hpp"
#include "eval/planning.hpp"

namespace personascope::eval::personalens {

struct LensRequest {
  std::string_view stage = "run";  // or "generate", "evaluate"
  LensOptions options{};
  RunOptions run{};             // its output is the option `items`
  Json given = Json::object();  // what the options were read from: a default is not "given"
};

// Reads the files that the options name; writes nothing. `content` gets what the plan is carried
// out with, unless it is null. Fails as Invalid or NotFound, naming the option.
Result<LensPlan> make_lens_plan(const PlanContext& context, const LensRequest& request,
                                LensContent* content = nullptr);

// All options of a stage but those of the engine.
std::vector<core::OptionSpec> list_lens_options(std::string_view stage);

// The evaluation that the given options describe.
Result<PreparedEvaluation> prepare_lens(const PlanContext& context, std::string_view stage,
                                        const Json& given);

// The evaluation of a stored plan. Fails as Invalid if it is not one of the lens, or if the users'
// files have changed.
Result<PreparedEvaluation> load_lens(const Json& stored);

// The name as "provider/model": the published program's short names are Bedrock's.
std::string route_lens_model(const std::string& name);
// What a model's folders are called: the short name itself, else the name made safe.
std::string label_lens_model(const std::string& name);

}  // namespace personascope::eval::personalens
