#include "run/evaluating.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "files/parquet_file.hpp"
#include "llm/deployed_model.hpp"
#include "report/run_export.hpp"
#include "run/headline.hpp"
#include "run/model_set.hpp"
#include "run/output.hpp"
#include "run/run_id.hpp"
#include "run/session.hpp"

namespace personascope::run {
namespace {

std::optional<std::string> address_of(const EvaluationPlan& plan, const std::string& name) {
  const bool own = std::ranges::find(plan.own_address, name) != plan.own_address.end();
  return own ? plan.base_url : std::nullopt;
}

// The items of the run in the form that the output's name tells, else a line of JSON each.
Result<void> write_items(const RunEnvironment& environment, std::int64_t run,
                         const std::string& path, Output& output) {
  store::Reader& reader = environment.store.reader();
  report::ExportOptions options;
  options.runs = {run};
  options.parquet_program = files::find_parquet_program(environment.settings);
  RETURN_IF_ERROR(report::export_runs(
      reader, options, report::find_row_format(path).value_or(report::RowFormat::Jsonl),
      [&](std::string_view text) { return output.write(text); }));
  return {};
}

// An evaluation and the models that it asks.
struct Made {
  std::unique_ptr<ModelSet> models;
  std::vector<std::unique_ptr<llm::Model>> deployed;  // of these models, with their deployment
  std::unique_ptr<eval::Evaluation> evaluation;
};

Result<Made> make_with_models(const RunEnvironment& environment, const EvaluationPlan& plan,
                              const MakeEvaluation& make) {
  Made made;
  made.models = std::make_unique<ModelSet>(environment, plan.engine);
  const auto deployment = find_text(plan.plan, "deployment").value_or("");
  const auto find_model = [&](const std::string& name) -> Result<llm::Model*> {
    ASSIGN_OR_RETURN(llm::Model * model, made.models->add(name, address_of(plan, name)));
    const bool own = std::ranges::find(plan.own_address, name) != plan.own_address.end();
    if (deployment.empty() || !own) return model;
    made.deployed.push_back(llm::make_deployed(*model, deployment));
    return made.deployed.back().get();
  };
  ASSIGN_OR_RETURN(made.evaluation, make(find_model));
  return made;
}

Result<std::optional<Output>> open_output(const RunEnvironment& environment,
                                          const EvaluationPlan& plan) {
  if (!plan.output) return std::optional<Output>{};
  // Now, not when everything is paid for.
  if (report::find_row_format(*plan.output) == report::RowFormat::Parquet)
    RETURN_IF_ERROR(
        files::check_parquet_program(files::find_parquet_program(environment.settings)));
  ASSIGN_OR_RETURN(Output output, Output::create(*plan.output, "items", environment));
  return std::optional<Output>(std::move(output));
}

Result<RunSummary> carry_out(const RunEnvironment& environment, const store::RunRecord& run,
                             const EvaluationPlan& plan, Made made) {
  eval::Evaluation* evaluation = made.evaluation.get();
  ASSIGN_OR_RETURN(const RoleRules roles, load_role_rules(environment.store, run.plan));
  ASSIGN_OR_RETURN(auto session,
                   Session::create(environment, run, plan.engine, roles, std::move(made.models)));
  std::int64_t expected = 0;
  for (const eval::Forecast& forecast : evaluation->forecast()) expected += forecast.calls;
  session->expect_calls(expected);
  ASSIGN_OR_RETURN(auto output, open_output(environment, plan));
  eval::ItemContext context{.chain = session->chain(), .record = [&](core::ItemRecord item) {
                              session->record(std::move(item));
                            }};
  std::int64_t next = 0;
  session->carry_out(
      [&]() -> Result<std::optional<Session::Work>> {
        if (next == evaluation->pieces()) return std::optional<Session::Work>{};
        return std::optional<Session::Work>(
            [evaluation, piece = next++, &context] { return evaluation->work(context, piece); });
      },
      [] { return true; });
  return session->conclude([&](Findings& findings) -> Result<void> {
    ASSIGN_OR_RETURN(findings.results, evaluation->finish());
    findings.headline = find_headline(findings.results);
    if (!output) return {};
    RETURN_IF_ERROR(write_items(environment, run.id, *plan.output, *output));
    return output->commit();
  });
}

Run start(const RunEnvironment& environment, store::RunRecord run, EvaluationPlan plan, Made made) {
  const std::int64_t id = run.id;
  return start_run(id, environment,
                   [run = std::move(run), plan = std::move(plan),
                    made = std::move(made)](const RunEnvironment& own) mutable {
                     return carry_out(own, run, plan, std::move(made));
                   });
}

// An item's own call, or one beside it: its examples, its canaries.
bool belongs_to(const std::string& call, const std::string& item) {
  return call == item || call.starts_with(item + "/") || call.ends_with("/" + item);
}

// Whether the call may be for several items, of which `item` is one: a persona's questions.
bool stands_above(const std::string& call, const std::string& item) {
  return item.starts_with(call.substr(0, call.rfind('/') + 1));
}

// Carries an evaluation out from the journal alone, and explains what is not there.
class Rehearsal {
 public:
  Rehearsal(const RunEnvironment& environment, Made& made, llm::ChainOptions options,
            const std::optional<std::string>& item)
      : environment_(environment), made_(made), options_(std::move(options)), item_(item) {
    options_.replay = true;
    options_.stop_on_miss = false;
    options_.max_misses = std::numeric_limits<std::size_t>::max();  // one may be of the item
  }

  Result<std::vector<MissExplanation>> finish() {
    made_.models->loop().spawn(work());
    made_.models->loop().run();
    if (fault_) return std::unexpected(*fault_);
    if (stop_.requested()) return std::unexpected(stop_.reason());
    if (item_ && !found_item_)
      return fail(ErrorKind::Invalid, "the run has no item \"{}\"", printable(*item_));
    return std::move(explanations_);
  }

 private:
  Task<void> work() {
    for (std::int64_t piece = 0; piece < made_.evaluation->pieces(); ++piece) {
      if (explanations_.size() >= kMostMisses || fault_ || stop_.requested()) break;
      // One for each piece, so that no more misses are held than one has.
      llm::AskChain chain(made_.models->loop(), stop_, environment_.store, budget_,
                          environment_.prices, options_);
      eval::ItemContext context{.chain = chain, .record = [&](const core::ItemRecord& ended) {
                                  items_.push_back(ended.id);
                                }};
      items_.clear();
      co_await made_.evaluation->work(context, piece);
      found_item_ = found_item_ || (item_ && std::ranges::find(items_, *item_) != items_.end());
      for (const llm::Miss& miss : chain.misses())
        if (is_wanted(miss.draw.item)) explain(miss);
    }
  }

  bool is_wanted(const std::string& call) const {
    if (!item_ || belongs_to(call, *item_)) return true;
    return stands_above(call, *item_) && std::ranges::none_of(items_, [&](const std::string& item) {
             return belongs_to(call, item);
           });
  }

  void explain(const llm::Miss& miss) {
    found_item_ = true;
    if (explanations_.size() >= kMostMisses || fault_) return;
    auto explanation = explain_miss(environment_.store, miss);
    if (explanation)
      explanations_.push_back(std::move(*explanation));
    else
      fault_ = std::move(explanation).error();
  }

  const RunEnvironment& environment_;
  Made& made_;
  llm::ChainOptions options_;
  const std::optional<std::string>& item_;
  sched::Stop stop_{made_.models->loop()};
  llm::Budget budget_{made_.models->loop(), stop_, {}, {}};
  std::vector<MissExplanation> explanations_;
  std::optional<Error> fault_;
  std::vector<std::string> items_;  // of the piece at hand
  bool found_item_ = false;
};

}  // namespace

Result<std::vector<MissExplanation>> explain_evaluation_misses(
    const RunEnvironment& environment, const store::RunRecord& run, const EvaluationPlan& plan,
    const MakeEvaluation& make, const std::optional<std::string>& item) {
  ASSIGN_OR_RETURN(Made made, make_with_models(environment, plan, make));
  ASSIGN_OR_RETURN(const RoleRules roles, load_role_rules(environment.store, run.plan));
  return Rehearsal(environment, made, make_chain_options(run, plan.engine, roles), item).finish();
}

Result<Run> start_evaluation(const RunEnvironment& environment, EvaluationPlan plan,
                             const MakeEvaluation& make, std::string_view version) {
  ASSIGN_OR_RETURN(Made made, make_with_models(environment, plan, make));
  RETURN_IF_ERROR(open_output(environment, plan));
  ASSIGN_OR_RETURN(auto run, create_run(environment.store, plan.command, plan.plan,
                                        made.evaluation->items(), version, made.models.get()));
  return start(environment, std::move(run), std::move(plan), std::move(made));
}

Result<Run> resume_evaluation(const RunEnvironment& environment, store::RunRecord run,
                              EvaluationPlan plan, const MakeEvaluation& make) {
  ASSIGN_OR_RETURN(Made made, make_with_models(environment, plan, make));
  return start(environment, std::move(run), std::move(plan), std::move(made));
}

Result<std::vector<Estimate>> estimate_evaluation(const RunEnvironment& environment,
                                                  const EvaluationPlan& plan,
                                                  const MakeEvaluation& make) {
  ASSIGN_OR_RETURN(const Made made, make_with_models(environment, plan, make));
  std::vector<Estimate> estimates;
  for (const eval::Forecast& forecast : made.evaluation->forecast()) {
    Estimate estimate;
    estimate.model = fmt::format("{} ({})", forecast.model, forecast.role);
    estimate.lines = made.evaluation->items();
    estimate.calls = forecast.calls;
    estimate.input_tokens = forecast.input_tokens;
    estimate.max_output_tokens = forecast.max_output_tokens;
    if (const auto price = environment.prices.find(forecast.model))
      estimate.max_cost_usd =
          llm::cost_of(*price, {estimate.input_tokens, estimate.max_output_tokens, std::nullopt});
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

}  // namespace personascope::run
