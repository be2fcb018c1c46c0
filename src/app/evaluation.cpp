#include "app/evaluation.hpp"

#include <array>
#include <string_view>

#include "app/bench_personas.hpp"
#include "app/lens.hpp"
#include "app/paths.hpp"
#include "app/trust.hpp"
#include "app/version.hpp"
#include "base/text.hpp"
#include "eval/catalog.hpp"
#include "files/text_file.hpp"
#include "run/output.hpp"
#include "run/rehearsal.hpp"

namespace personascope::app {
namespace {

struct EvaluationRow {
  std::string_view command;
  Result<EvaluationSetup> (*load)(const Json& plan);  // of a stored plan
};

// Those that are not in the catalog yet.
constexpr std::array kEvaluations{EvaluationRow{"personas", load_writing_personas},
                                  EvaluationRow{"profiles", load_profiles}};

std::optional<EvaluationRow> find_row(const std::string& command) {
  for (const eval::CatalogRow& row : eval::catalog())
    if (row.command == command) return EvaluationRow{row.command, row.load};
  for (const EvaluationRow& row : kEvaluations)
    if (row.command == command) return row;
  return std::nullopt;
}

Result<EvaluationSetup> load_setup(const store::RunRecord& run, const Json& plan) {
  const auto row = find_row(run.command);
  if (!row)
    return fail(ErrorKind::Invalid, "run {} is a run of {}, which this version cannot carry out",
                run.id, printable(run.command));
  return row->load(plan);
}

bool writes_personas(const store::RunRecord& run) {
  return run.command == "personas";
}

// The stored plan for another run, which must not write over what the first one made.
Json make_plan_again(const store::RunRecord& run, const std::optional<std::string>& output) {
  Json plan = run.plan;
  for (const char* place : {"csv_to", "questions_to", "responses_to", "scores_to"})
    plan.erase(place);
  plan["rescores"] = run.id;
  if (writes_personas(run) && output) plan["personas_to"] = app::make_absolute(*output);
  return plan;
}

// Whatever file the plan names is read, but for what the run has written.
Result<void> check_not_named(const Json& plan, const std::string& output) {
  if (plan.is_structured())
    for (const auto& [name, value] : plan.items())
      if (name != "output" && name != "personas_to")
        RETURN_IF_ERROR(check_not_named(value, output));
  const bool is_path = plan.is_string() && plan.get_ref<const std::string&>().starts_with('/');
  return is_path ? check_not_same_file(output, plan.get<std::string>()) : Result<void>{};
}

std::optional<std::string> make_absolute(const std::optional<std::string>& path) {
  return path ? std::optional(app::make_absolute(*path)) : std::nullopt;
}

// Where the stored run writes; plans of `lift` without an output once had an empty one.
std::optional<std::string> find_output(const Json& plan) {
  auto output = find_text(plan, "output");
  return output && output->empty() ? std::nullopt : output;
}

// Where a run that scores the stored one again writes its lines. Fails as Invalid if the stored one
// wrote a file and no other is wanted.
Result<std::optional<std::string>> choose_new_output(const store::RunRecord& run,
                                                     const std::optional<std::string>& wanted) {
  const auto old =
      writes_personas(run) ? find_text(run.plan, "personas_to") : find_output(run.plan);
  if (!wanted && old == run::kStandardOutput) return old;
  if (old && !wanted)
    return fail(ErrorKind::Invalid, "run {} has written {}; name another file with `output`{}",
                run.id, printable(*old), writes_personas(run) ? "" : " (or - for standard output)");
  const auto output = make_absolute(wanted);
  if (output) RETURN_IF_ERROR(check_not_named(run.plan, *output));
  if (!writes_personas(run)) return output;
  if (!output || *output == run::kStandardOutput)
    return fail(ErrorKind::Invalid,
                "personas that a model writes go into a file: name it with `output`");
  RETURN_IF_ERROR(files::NewFile::create(*output));  // can it be written?
  return std::optional<std::string>{};
}

}  // namespace

Result<run::Run> start_evaluation(Context& context, const EvaluationSetup& setup,
                                  const EvaluationFlags& flags, const Listener& listener) {
  ASSIGN_OR_RETURN(const auto environment, context.run_environment(listener));
  remember_address(context, flags.base_url);
  const run::EvaluationPlan plan =
      run::make_evaluation_plan(setup, make_absolute(flags.output), flags.base_url, flags.engine);
  const auto make =
      [&setup](const eval::FindModel& find_model) -> Result<std::unique_ptr<eval::Evaluation>> {
    ASSIGN_OR_RETURN(auto made, setup.make(find_model));
    if (setup.prepare_outputs) RETURN_IF_ERROR(setup.prepare_outputs());
    return made;
  };
  return run::start_evaluation(environment, plan, make, version());
}

Result<std::vector<run::Estimate>> estimate_evaluation(Context& context,
                                                       const EvaluationSetup& setup,
                                                       const EvaluationFlags& flags) {
  ASSIGN_OR_RETURN(const auto environment, context.run_environment_without_access());
  const run::EvaluationPlan plan =
      run::make_evaluation_plan(setup, std::nullopt, flags.base_url, flags.engine);
  return run::estimate_evaluation(environment, plan, setup.make);
}

Result<run::Run> resume_run(Context& context, std::int64_t id, const run::EngineOptions& over,
                            const std::optional<std::string>& base_url, const Listener& listener) {
  RETURN_IF_ERROR(context.existing_store());  // a mistyped path makes no store
  ASSIGN_OR_RETURN(const auto environment, context.run_environment(listener));
  ASSIGN_OR_RETURN(const store::RunRecord run, environment.store.reader().load_run(id));
  ASSIGN_OR_RETURN(const EvaluationSetup setup, load_setup(run, run.plan));
  if (!over.replay.value_or(false))
    RETURN_IF_ERROR(check_address(context, run, setup.addressed, base_url, listener));
  remember_address(context, base_url);
  ASSIGN_OR_RETURN(const run::EngineOptions engine, run::parse_stored_engine(run.plan));
  const run::EvaluationPlan plan = run::make_evaluation_plan(
      setup, find_output(run.plan), base_url ? base_url : find_text(run.plan, "base_url"),
      run::merge(engine, over));
  return run::resume_evaluation(environment, run, plan, setup.make);
}

Result<run::Run> rescore_run(Context& context, std::int64_t id,
                             const std::optional<std::string>& output,
                             const run::EngineOptions& over,
                             const std::optional<std::string>& base_url, const Listener& listener) {
  RETURN_IF_ERROR(context.existing_store());  // a mistyped path makes no store
  ASSIGN_OR_RETURN(const auto environment, context.run_environment(listener));
  ASSIGN_OR_RETURN(const store::RunRecord run, environment.store.reader().load_run(id));
  ASSIGN_OR_RETURN(const EvaluationSetup setup, load_setup(run, make_plan_again(run, output)));
  if (!setup.has_judge)
    return fail(ErrorKind::Invalid, "run {} asked no judge, so there is nothing to score again{}",
                run.id, setup.why_no_judge.empty() ? "" : fmt::format(" ({})", setup.why_no_judge));
  RETURN_IF_ERROR(check_address(context, run, setup.addressed, base_url, listener));
  remember_address(context, base_url);
  ASSIGN_OR_RETURN(const auto lines, choose_new_output(run, output));
  ASSIGN_OR_RETURN(const run::EngineOptions engine, run::parse_stored_engine(run.plan));
  run::EvaluationPlan plan =
      run::make_evaluation_plan(setup, lines, base_url ? base_url : find_text(run.plan, "base_url"),
                                run::merge(engine, over));
  plan.plan["rescores"] = run.id;
  return run::start_evaluation(environment, plan, setup.make, version());
}

Result<std::vector<run::MissExplanation>> explain_misses(Context& context, std::int64_t id,
                                                         const std::optional<std::string>& item) {
  RETURN_IF_ERROR(context.existing_store());  // a mistyped path makes no store
  ASSIGN_OR_RETURN(const auto environment, context.run_environment_without_keys());
  ASSIGN_OR_RETURN(const store::RunRecord run, environment.store.reader().load_run(id));
  if (run.command == "profiles")  // its work is to write files
    return fail(ErrorKind::Invalid,
                "run {} writes users' profiles; explain-miss is for runs of batch, judge, lift, "
                "gym, bench and lens",
                run.id);
  ASSIGN_OR_RETURN(const EvaluationSetup setup,
                   load_setup(run, make_plan_again(run, std::nullopt)));
  ASSIGN_OR_RETURN(const run::EngineOptions engine, run::parse_stored_engine(run.plan));
  return run::explain_evaluation_misses(
      environment, run,
      run::make_evaluation_plan(setup, std::nullopt, find_text(run.plan, "base_url"), engine),
      setup.make, item);
}

}  // namespace personascope::app
