#include "run/evaluating.hpp"

#include "eval/long_text.hpp"
#include "run/headline.hpp"
#include "run/item_output.hpp"
#include "run/run_id.hpp"
#include "run/session.hpp"

namespace personascope::run {
namespace {

Result<RunSummary> carry_out(const RunEnvironment& environment, const store::RunRecord& run,
                             const EvaluationPlan& plan, MadeEvaluation made) {
  eval::Evaluation* evaluation = made.evaluation.get();
  ASSIGN_OR_RETURN(const RoleRules roles, load_role_rules(environment.store, run.plan));
  ASSIGN_OR_RETURN(auto session, Session::create(environment, run, plan.engine, roles,
                                                 std::move(made.models), evaluation->ids()));
  std::int64_t expected = 0;
  for (const eval::Forecast& forecast : evaluation->forecast()) expected += forecast.calls;
  session->expect_calls(expected);
  ASSIGN_OR_RETURN(auto output, ItemOutput::create(plan.output, evaluation->lines(), environment));
  const auto stop = [&](Error error) { session->stop().request(std::move(error)); };
  eval::ItemContext context{
      .chain = session->chain(),
      .record = [&](core::ItemRecord item) { session->record(std::move(item)); },
      .write_line =
          [&](std::int64_t position, std::string line) {
            if (auto written = output.put(position, std::move(line)); !written)
              stop(std::move(written).error());
          },
      .stop = stop};
  session->carry_out(
      evaluation->pieces(), [&](std::int64_t piece) { return evaluation->work(context, piece); },
      [&] { return !output.is_full(); });
  return session->conclude([&](Findings& findings) -> Result<void> {
    ASSIGN_OR_RETURN(findings.results, evaluation->finish());
    findings.headline = find_headline(findings.results);
    return output.finish(environment, run.id);
  });
}

Run start(const RunEnvironment& environment, store::RunRecord run, EvaluationPlan plan,
          MadeEvaluation made) {
  const std::int64_t id = run.id;
  return start_run(id, environment,
                   [run = std::move(run), plan = std::move(plan),
                    made = std::move(made)](const RunEnvironment& own) mutable {
                     return carry_out(own, run, plan, std::move(made));
                   });
}

// Everything that can be checked before the run is stored or taken up again.
Result<MadeEvaluation> check(const RunEnvironment& environment, const EvaluationPlan& plan,
                             const MakeEvaluation& make) {
  ASSIGN_OR_RETURN(MadeEvaluation made, make_with_models(environment, plan, make));
  RETURN_IF_ERROR(ItemOutput::create(plan.output, made.evaluation->lines(), environment));
  return made;
}

void tell_notes(const RunEnvironment& environment, const EvaluationPlan& plan,
                const eval::Evaluation& evaluation) {
  for (const std::string& note : eval::name_long_texts(plan.plan)) environment.on_note(note);
  for (const std::string& note : evaluation.notes()) environment.on_note(note);
}

}  // namespace

Result<Run> start_evaluation(const RunEnvironment& environment, EvaluationPlan plan,
                             const MakeEvaluation& make, std::string_view version) {
  ASSIGN_OR_RETURN(MadeEvaluation made, check(environment, plan, make));
  if (environment.on_note) tell_notes(environment, plan, *made.evaluation);
  ASSIGN_OR_RETURN(auto run, create_run(environment.store, plan.command, plan.plan,
                                        made.evaluation->items(), version, made.models.get()));
  return start(environment, std::move(run), std::move(plan), std::move(made));
}

Result<Run> resume_evaluation(const RunEnvironment& environment, store::RunRecord run,
                              EvaluationPlan plan, const MakeEvaluation& make) {
  ASSIGN_OR_RETURN(MadeEvaluation made, check(environment, plan, make));
  return start(environment, std::move(run), std::move(plan), std::move(made));
}

}  // namespace personascope::run
