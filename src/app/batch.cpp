#include "app/batch.hpp"

#include "app/cost_check.hpp"
#include "app/evaluation.hpp"
#include "app/judge.hpp"
#include "app/lift.hpp"
#include "app/models.hpp"
#include "app/paths.hpp"
#include "app/trust.hpp"
#include "app/version.hpp"
#include "base/text.hpp"
#include "llm/estimate.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

Result<run::BatchPlan> make_plan(const Context& context, const run::BatchOptions& options,
                                 const run::EngineOptions& engine, LongestRequest& longest) {
  run::BatchPlan plan;
  ASSIGN_OR_RETURN(plan.input,
                   run::check_batch_file(options.input, [&](const run::BatchLine& line) {
                     longest.add(line.id, llm::estimate_size(line.request).input_tokens);
                     return Result<void>{};
                   }));
  plan.input.path = make_absolute(options.input);
  plan.output = make_absolute(options.output);
  RETURN_IF_ERROR(check_not_same_file(plan.output, plan.input.path));
  ASSIGN_OR_RETURN(const std::string model, choose_model(context, options.model));
  plan.model = llm::make_absolute_name(model);
  plan.base_url = options.base_url;
  plan.engine = engine;
  return plan;
}

// The stored plan, after checking that its input is still what it was.
Result<run::BatchPlan> load_plan(const store::RunRecord& run) {
  if (run.command != "batch")
    return fail(ErrorKind::Invalid, "run {} is not a batch but a {}; this command is for batches",
                run.id, printable(run.command));
  ASSIGN_OR_RETURN(run::BatchPlan plan, run::parse_batch_plan(run.plan));
  ASSIGN_OR_RETURN(const run::InputFile now, run::check_batch_file(plan.input.path));
  if (now.sha256 != plan.input.sha256)
    return fail(ErrorKind::Invalid,
                "{} has changed since run {} was started; start a new batch (answers to unchanged "
                "lines are found again)",
                printable(plan.input.path), run.id);
  return plan;
}

Result<run::Run> start(const run::RunEnvironment& environment, const run::BatchPlan& plan) {
  ASSIGN_OR_RETURN(auto models, run::check_batch_plan(environment, plan));
  ASSIGN_OR_RETURN(const auto run,
                   run::create_batch_run(environment.store, plan, version(), models.get()));
  return run::start_batch_run(environment, run, plan, std::move(models));
}

}  // namespace

Result<run::Run> start_batch(Context& context, const run::BatchOptions& options,
                             const run::EngineOptions& engine, const Listener& listener) {
  LongestRequest longest;
  ASSIGN_OR_RETURN(const run::BatchPlan plan, make_plan(context, options, engine, longest));
  ASSIGN_OR_RETURN(const auto environment, context.run_environment(listener));
  if (const std::string note = longest.describe(); listener.on_note && !note.empty())
    listener.on_note(note);
  remember_address(context, options.base_url);
  return start(environment, plan);
}

Result<run::Estimate> estimate_batch(Context& context, const run::BatchOptions& options,
                                     const run::EngineOptions& engine) {
  ASSIGN_OR_RETURN(const auto environment, context.run_environment_without_access());
  ASSIGN_OR_RETURN(const std::string model, choose_model(context, options.model));
  return run::estimate_batch(environment, options.input, model, options.base_url, engine);
}

Result<run::Run> resume_run(Context& context, std::int64_t id, const run::EngineOptions& over,
                            const std::optional<std::string>& base_url, const Listener& listener) {
  RETURN_IF_ERROR(context.existing_store());  // a mistyped path makes no store
  ASSIGN_OR_RETURN(const auto environment, context.run_environment(listener));
  ASSIGN_OR_RETURN(const store::RunRecord run, environment.store.reader().load_run(id));
  if (!over.replay.value_or(false))
    RETURN_IF_ERROR(check_address(context, run, base_url, listener));
  remember_address(context, base_url);
  if (run.command == "judge") return resume_judging(environment, run, over, base_url);
  if (run.command == "lift") return resume_lift(environment, run, over, base_url);
  if (is_evaluation(run.command)) return resume_evaluation(environment, run, over, base_url);
  ASSIGN_OR_RETURN(run::BatchPlan plan, load_plan(run));
  plan.engine = run::merge(plan.engine, over);
  if (base_url) plan.base_url = base_url;
  ASSIGN_OR_RETURN(auto models, run::check_batch_plan(environment, plan));
  return run::start_batch_run(environment, run, plan, std::move(models));
}

Result<run::Run> rescore_run(Context& context, std::int64_t id,
                             const std::optional<std::string>& output,
                             const run::EngineOptions& over,
                             const std::optional<std::string>& base_url, const Listener& listener) {
  RETURN_IF_ERROR(context.existing_store());  // a mistyped path makes no store
  ASSIGN_OR_RETURN(const auto environment, context.run_environment(listener));
  ASSIGN_OR_RETURN(const store::RunRecord run, environment.store.reader().load_run(id));
  RETURN_IF_ERROR(check_address(context, run, base_url, listener));
  remember_address(context, base_url);
  if (run.command == "judge") return rescore_judging(environment, run, output, over, base_url);
  if (run.command == "lift")
    return fail(ErrorKind::Invalid, "run {} only read likelihoods, which do not change", id);
  if (is_evaluation(run.command)) return rescore_evaluation(environment, run, output, over);
  ASSIGN_OR_RETURN(run::BatchPlan plan, load_plan(run));
  bool has_judge = false;
  ASSIGN_OR_RETURN(plan.input,
                   run::check_batch_file(plan.input.path, [&](const run::BatchLine& line) {
                     has_judge = has_judge || line.role == llm::kJudgeRole;
                     return Result<void>{};
                   }));
  if (!has_judge)
    return fail(ErrorKind::Invalid,
                "run {} asked no judge, so there is nothing to score again (a batch line is a "
                "judge's if it has \"role\": \"judge\")",
                id);
  plan.engine = run::merge(plan.engine, over);
  plan.rescores = id;
  if (base_url) plan.base_url = base_url;
  ASSIGN_OR_RETURN(plan.output, choose_new_output(id, plan.output, output));
  RETURN_IF_ERROR(check_not_same_file(plan.output, plan.input.path));
  return start(environment, plan);
}

Result<std::vector<run::MissExplanation>> explain_misses(Context& context, std::int64_t id,
                                                         const std::optional<std::string>& item) {
  RETURN_IF_ERROR(context.existing_store());  // a mistyped path makes no store
  ASSIGN_OR_RETURN(const auto environment, context.run_environment_without_keys());
  ASSIGN_OR_RETURN(const store::RunRecord run, environment.store.reader().load_run(id));
  if (run.command == "judge") return explain_judging(environment, run, item);
  if (run.command == "lift") return explain_lift(environment, run, item);
  if (is_evaluation(run.command)) return explain_evaluation(environment, run, item);
  ASSIGN_OR_RETURN(const run::BatchPlan plan, load_plan(run));
  return run::explain_batch_misses(environment, run, plan, item);
}

}  // namespace personascope::app
