#include "run/evaluation_plan.hpp"

#include <algorithm>

#include "base/secret.hpp"

namespace personascope::run {

EvaluationPlan make_evaluation_plan(const eval::PreparedEvaluation& prepared,
                                    const std::optional<std::string>& output,
                                    const std::optional<std::string>& base_url,
                                    const EngineOptions& engine) {
  EvaluationPlan plan;
  plan.command = prepared.command;
  plan.plan = prepared.plan;
  plan.plan["engine"] = to_json(engine);
  plan.output = output;
  if (output) plan.plan["output"] = *output;
  plan.base_url = base_url;
  if (base_url) plan.plan["base_url"] = without_credentials(*base_url);
  plan.own_address = prepared.addressed;
  plan.engine = engine;
  return plan;
}

Result<MadeEvaluation> make_with_models(const RunEnvironment& environment,
                                        const EvaluationPlan& plan, const MakeEvaluation& make) {
  MadeEvaluation made;
  made.models = std::make_unique<ModelSet>(environment, plan.engine);
  ASSIGN_OR_RETURN(made.evaluation, make([&](const std::string& name) {
                     const bool own =
                         std::ranges::find(plan.own_address, name) != plan.own_address.end();
                     return made.models->add(name, own ? plan.base_url : std::nullopt);
                   }));
  return made;
}

}  // namespace personascope::run
