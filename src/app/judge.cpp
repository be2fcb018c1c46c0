#include "app/judge.hpp"

#include <filesystem>

#include "app/models.hpp"
#include "app/paths.hpp"
#include "app/trust.hpp"
#include "app/version.hpp"
#include "base/text.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

struct Prepared {
  run::JudgePlan plan;
  judge::Rubric rubric;
};

Result<Prepared> prepare(const Context& context, const run::JudgeFileOptions& options,
                         const run::EngineOptions& engine) {
  run::JudgePlan plan;
  plan.output = make_absolute(options.output);
  plan.rubric = make_absolute(options.rubric);
  for (const std::string& name : options.judges)
    plan.judges.push_back(llm::make_absolute_name(name));
  if (plan.judges.empty()) {
    ASSIGN_OR_RETURN(std::string judge, choose_model(context, ""));
    plan.judges.push_back(std::move(judge));
  }
  if (options.escalate) plan.escalate = llm::make_absolute_name(*options.escalate);
  plan.base_url = options.base_url;
  plan.options = options.judging;
  plan.rule = options.rule;
  plan.canaries = options.canaries;
  plan.cluster = options.cluster;
  plan.engine = engine;
  ASSIGN_OR_RETURN(judge::Rubric rubric, run::fill_judge_plan(plan, options.input));
  plan.input.path = make_absolute(options.input);
  for (const std::string& source : {plan.input.path, plan.rubric})
    RETURN_IF_ERROR(check_not_same_file(plan.output, source));
  return Prepared{std::move(plan), std::move(rubric)};
}

// The stored plan, after checking that its input and its rubric are still what they were.
Result<Prepared> load(const store::RunRecord& run) {
  ASSIGN_OR_RETURN(const run::JudgePlan stored, run::parse_judge_plan(run.plan));
  run::JudgePlan plan = stored;
  ASSIGN_OR_RETURN(judge::Rubric rubric, run::fill_judge_plan(plan, stored.input.path));
  const bool other_rubric = plan.rubric_sha256 != stored.rubric_sha256;
  if (other_rubric || plan.input.sha256 != stored.input.sha256)
    return fail(ErrorKind::Invalid,
                "{} has changed since run {} was started; start a new run (verdicts on unchanged "
                "lines by an unchanged rubric are found again)",
                printable(other_rubric ? plan.rubric : plan.input.path), run.id);
  return Prepared{std::move(plan), std::move(rubric)};
}

Result<run::Run> start(const run::RunEnvironment& environment, const Prepared& prepared) {
  ASSIGN_OR_RETURN(auto models, run::check_judge_plan(environment, prepared.plan, prepared.rubric));
  ASSIGN_OR_RETURN(const auto run, run::create_judge_run(environment.store, prepared.plan,
                                                         version(), models.get()));
  return run::start_judge_run(environment, run, prepared.plan, prepared.rubric, std::move(models));
}

}  // namespace

Result<run::Run> start_judging(Context& context, const run::JudgeFileOptions& options,
                               const run::EngineOptions& engine, const Listener& listener) {
  ASSIGN_OR_RETURN(const Prepared prepared, prepare(context, options, engine));
  ASSIGN_OR_RETURN(const auto environment, context.run_environment(listener));
  remember_address(context, options.base_url);
  remember_bots(context, run::to_json(prepared.plan));
  return start(environment, prepared);
}

Result<std::vector<run::Estimate>> estimate_judging(Context& context,
                                                    const run::JudgeFileOptions& options,
                                                    const run::EngineOptions& engine) {
  ASSIGN_OR_RETURN(const Prepared prepared, prepare(context, options, engine));
  ASSIGN_OR_RETURN(const auto environment, context.run_environment_without_access());
  return run::estimate_judging(environment, prepared.plan, prepared.rubric);
}

Result<run::Run> resume_judging(const run::RunEnvironment& environment, const store::RunRecord& run,
                                const run::EngineOptions& over,
                                const std::optional<std::string>& base_url) {
  ASSIGN_OR_RETURN(Prepared prepared, load(run));
  prepared.plan.engine = run::merge(prepared.plan.engine, over);
  if (base_url) prepared.plan.base_url = base_url;
  ASSIGN_OR_RETURN(auto models, run::check_judge_plan(environment, prepared.plan, prepared.rubric));
  return run::start_judge_run(environment, run, prepared.plan, prepared.rubric, std::move(models));
}

Result<run::Run> rescore_judging(const run::RunEnvironment& environment,
                                 const store::RunRecord& run,
                                 const std::optional<std::string>& output,
                                 const run::EngineOptions& over,
                                 const std::optional<std::string>& base_url) {
  ASSIGN_OR_RETURN(Prepared prepared, load(run));
  run::JudgePlan& plan = prepared.plan;
  ASSIGN_OR_RETURN(plan.output, choose_new_output(run.id, plan.output, output));
  for (const std::string& source : {plan.input.path, plan.rubric})
    RETURN_IF_ERROR(check_not_same_file(plan.output, source));
  plan.engine = run::merge(plan.engine, over);
  plan.engine.fresh = true;  // every call is a judge's
  if (base_url) plan.base_url = base_url;
  return start(environment, prepared);
}

Result<std::vector<run::MissExplanation>> explain_judging(const run::RunEnvironment& environment,
                                                          const store::RunRecord& run,
                                                          const std::optional<std::string>& item) {
  ASSIGN_OR_RETURN(const Prepared prepared, load(run));
  return run::explain_judge_misses(environment, run, prepared.plan, prepared.rubric, item);
}

}  // namespace personascope::app
