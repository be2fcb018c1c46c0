// From options to a run, and from stored results to findings.
#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "core/stored_results.hpp"
#include "eval/persona_name/naming.hpp"

namespace personascope::eval::persona_name {
namespace {

const core::OptionTable<NamingPlan>& naming_options() {
  static const core::OptionTable<NamingPlan> table{
      {&NamingPlan::personas,
       {.name = "persona",
        .value = "TEXT",
        .otherwise = "three of our own",
        .sentence = "a persona with a name, in words; may be repeated"}},
      {&NamingPlan::question,
       {.name = "question", .value = "TEXT", .sentence = "what the agent is asked"}},
      {&NamingPlan::model,
       {.name = "model",
        .short_flag = "m",
        .value = "MODEL",
        .otherwise = "embedded/smollm2-135m if no key is set",
        .sentence = "model under test: provider/model (see `personascope models`)"}},
      {&NamingPlan::judge,
       {.name = "judge",
        .short_flag = "j",
        .value = "MODEL",
        .otherwise = "the model under test",
        .sentence = "model that says whether the name is right"}},
      {&NamingPlan::max_tokens,
       {.name = "max_output_tokens",
        .value = "N",
        .least = 1,
        .most = 100000,
        .sentence = "longest answer, in tokens"}}};
  return table;
}

PreparedEvaluation prepare_from(const NamingPlan& plan) {
  PreparedEvaluation prepared;
  prepared.command = "name";
  prepared.plan = naming_options().to_json(plan);
  prepared.addressed = {plan.model};
  prepared.has_judge = true;
  prepared.make = make_with<Naming>(plan);
  return prepared;
}

Result<void> check(const NamingPlan& plan) {
  const auto is_empty = [](const std::string& persona) { return trim(persona).empty(); };
  if (plan.personas.empty() || std::ranges::any_of(plan.personas, is_empty))
    return fail(ErrorKind::Invalid, "`persona` is empty");
  return {};
}

}  // namespace

std::vector<core::OptionSpec> list_naming_options(std::string_view) {
  std::vector<core::OptionSpec> specs = naming_options().specs();
  std::ranges::move(run_options().specs(), std::back_inserter(specs));
  return specs;
}

Result<PreparedEvaluation> prepare_naming(const PlanContext& context, std::string_view,
                                          const Json& given) {
  ASSIGN_OR_RETURN(NamingPlan plan, naming_options().parse(given));
  if (plan.personas.empty())
    plan.personas = {"Ingrid Solheim, 61, repairs clocks in a village in Norway.",
                     "Tomás Quiroga, 34, drives a night bus in Rosario.",
                     "Amara Diallo, 19, studies chemistry in Dakar and plays chess."};
  ASSIGN_OR_RETURN(plan.model, choose_model(context, plan.model));
  if (plan.judge.empty()) plan.judge = plan.model;
  RETURN_IF_ERROR(check(plan));
  PreparedEvaluation prepared = prepare_from(plan);
  ASSIGN_OR_RETURN(prepared.options, run_options().parse(given));
  return prepared;
}

Result<PreparedEvaluation> load_naming(const Json& stored) {
  ASSIGN_OR_RETURN(const NamingPlan plan, naming_options().parse(stored));
  RETURN_IF_ERROR(check(plan));
  if (plan.model.empty() || plan.judge.empty())
    return fail(ErrorKind::Invalid, "the stored plan names no model");
  return prepare_from(plan);
}

core::Findings describe_naming(const Json& results) {
  core::Findings findings;
  findings.evaluation = "name";
  findings.add_fact("model", find_text(results, "model").value_or(""));
  findings.add_fact("judge", find_text(results, "judge").value_or(""));
  const Json& score = core::get_member(results, "score");
  findings.headline = core::read_estimate(score, "gives its name", "", core::kShareUnit);
  findings.headline->outcomes = core::read_outcome_counts(core::get_member(results, "outcomes"));
  findings.add(core::MetricList{"", "answers", {*findings.headline}, ""});
  core::add_caveats(findings, score);
  return findings;
}

}  // namespace personascope::eval::persona_name
