// From options to a run of judges.
#include "base/text.hpp"
#include "eval/judging/judging.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::eval::judging {
namespace {

PreparedEvaluation prepare_from(const JudgeSetup& setup) {
  PreparedEvaluation prepared;
  prepared.command = "judge";
  prepared.plan = to_json(setup.plan);
  prepared.addressed = list_judges(setup.plan);
  prepared.has_judge = true;
  prepared.make = make_with<Judging>(setup);
  return prepared;
}

}  // namespace

std::vector<core::OptionSpec> list_judging_options(std::string_view) {
  return judge_file_options().specs();
}

Result<PreparedEvaluation> prepare_judging(const PlanContext& context, std::string_view,
                                           const Json& given) {
  ASSIGN_OR_RETURN(const JudgeFileOptions options, judge_file_options().parse(given));
  JudgePlan plan;
  plan.rubric = files::make_absolute(options.rubric);
  for (const std::string& name : options.judges)
    plan.judges.push_back(llm::make_absolute_name(name));
  if (plan.judges.empty()) {
    ASSIGN_OR_RETURN(std::string judge, choose_model(context, ""));
    plan.judges.push_back(std::move(judge));
  }
  if (options.escalate) plan.escalate = llm::make_absolute_name(*options.escalate);
  plan.options = options.judging;
  plan.rule = options.rule;
  plan.canaries = options.canaries;
  plan.cluster = options.cluster;
  RETURN_IF_ERROR(check_judges(plan, options.base_url.has_value()));
  ASSIGN_OR_RETURN(JudgeSetup setup, fill_judge_plan(std::move(plan), options.input));
  setup.plan.input.path = files::make_absolute(options.input);
  for (const std::string& source : {setup.plan.input.path, setup.plan.rubric})
    RETURN_IF_ERROR(files::check_not_same_file(files::make_absolute(options.output), source));
  PreparedEvaluation prepared = prepare_from(setup);
  prepared.options = {.output = options.output, .base_url = options.base_url};
  return prepared;
}

Result<PreparedEvaluation> load_judging(const Json& value) {
  ASSIGN_OR_RETURN(const JudgePlan stored, parse_judge_plan(value));
  RETURN_IF_ERROR(check_judges(stored, find_member(value, "base_url") != nullptr));
  ASSIGN_OR_RETURN(const JudgeSetup now, fill_judge_plan(stored, stored.input.path));
  const bool other_rubric = now.plan.rubric_sha256 != stored.rubric_sha256;
  if (other_rubric || now.plan.input.sha256 != stored.input.sha256)
    return fail(ErrorKind::Invalid,
                "{} has changed since the run was started; start a new run (verdicts on unchanged "
                "lines by an unchanged rubric are found again)",
                printable(other_rubric ? stored.rubric : stored.input.path));
  return prepare_from(now);
}

}  // namespace personascope::eval::judging
