#include "run/evaluating.hpp"

#include <algorithm>
#include <map>

#include "llm/providers/catalog.hpp"
#include "run/ordered_lines.hpp"
#include "run/output.hpp"
#include "run/run_id.hpp"

namespace personascope::run {
namespace {

std::optional<std::string> address_of(const EvaluationPlan& plan, const std::string& name) {
  const bool own = std::ranges::find(plan.own_address, name) != plan.own_address.end();
  return own ? plan.base_url : std::nullopt;
}

// An evaluation whose models are asked nothing: for checks and estimates.
class IdleEvaluation {
 public:
  Result<void> make(const Surroundings& surroundings, const EvaluationPlan& plan,
                    const MakeEvaluation& make) {
    ASSIGN_OR_RETURN(evaluation_, make([&](const std::string& name) {
                       return find_model(surroundings, plan, name);
                     }));
    return {};
  }
  eval::Evaluation& get() { return *evaluation_; }

 private:
  Result<llm::Model*> find_model(const Surroundings& surroundings, const EvaluationPlan& plan,
                                 const std::string& name) {
    auto& known = models_[name];
    if (known) return known.get();
    ASSIGN_OR_RETURN(auto model, llm::make_model(name, {address_of(plan, name), {}, {}},
                                                 surroundings.environment, client_));
    RETURN_IF_ERROR(check_price(plan.engine, surroundings.prices, *model));
    known = std::move(model);
    return known.get();
  }

  sched::Loop loop_;
  http::Client client_{loop_};
  std::map<std::string, std::unique_ptr<llm::Model>> models_;
  std::unique_ptr<eval::Evaluation> evaluation_;
};

Result<std::optional<Output>> open_output(const Surroundings& surroundings,
                                          const EvaluationPlan& plan) {
  if (!plan.output) return std::optional<Output>{};
  ASSIGN_OR_RETURN(Output output, Output::create(*plan.output, "items", surroundings));
  return std::optional<Output>(std::move(output));
}

}  // namespace

Result<RunSummary> start_evaluation(const Surroundings& surroundings, const EvaluationPlan& plan,
                                    const MakeEvaluation& make, std::string_view version) {
  IdleEvaluation evaluation;
  RETURN_IF_ERROR(evaluation.make(surroundings, plan, make));
  RETURN_IF_ERROR(open_output(surroundings, plan));
  ASSIGN_OR_RETURN(const auto run, create_run(surroundings.store, plan.command, plan.plan,
                                              evaluation.get().items(), version));
  return carry_out_evaluation(surroundings, run, plan, make);
}

Result<RunSummary> carry_out_evaluation(const Surroundings& surroundings,
                                        const store::RunRecord& run, const EvaluationPlan& plan,
                                        const MakeEvaluation& make) {
  ASSIGN_OR_RETURN(auto session, Session::create(surroundings, run, plan.engine, plan.roles));
  ASSIGN_OR_RETURN(auto evaluation, make([&](const std::string& name) {
                     return session->add_model(name, address_of(plan, name));
                   }));
  ASSIGN_OR_RETURN(auto output, open_output(surroundings, plan));
  OrderedLines lines([&](std::string_view text) { return output->write(text); });
  eval::Desk desk{
      .chain = session->chain(),
      .record =
          [&](eval::ItemRecord item) {
            session->record(
                {item.index, std::move(item.item), item.outcome, std::move(item.detail)},
                item.error);
          },
      .write =
          [&](std::int64_t index, std::string line) {
            if (!output) return;
            if (const auto written = lines.put(index, std::move(line)); !written)
              session->stop().request(written.error());
          },
  };
  session->carry_out(
      [&]() -> Result<std::optional<Session::Work>> {
        auto work = evaluation->next();
        if (!work) return std::optional<Session::Work>{};
        return std::optional<Session::Work>(
            [work = std::move(*work), &desk] { return work(desk); });
      },
      [&] { return !lines.is_full(); });
  Json results;
  if (!session->stop().requested()) {
    const auto keep = [&]() -> Result<void> {
      ASSIGN_OR_RETURN(results, evaluation->finish());
      if (output) RETURN_IF_ERROR(output->commit());
      return surroundings.store.save_results(run.id, results);
    };
    if (auto kept = keep(); !kept) session->stop().request(std::move(kept).error());
  }
  RunSummary summary = session->finish();
  summary.results = std::move(results);
  return summary;
}

Result<std::vector<Estimate>> estimate_evaluation(const Surroundings& surroundings,
                                                  const EvaluationPlan& plan,
                                                  const MakeEvaluation& make) {
  IdleEvaluation evaluation;
  RETURN_IF_ERROR(evaluation.make(surroundings, plan, make));
  std::vector<Estimate> estimates;
  for (const eval::Forecast& forecast : evaluation.get().forecast()) {
    Estimate estimate;
    estimate.model = fmt::format("{} ({})", forecast.model, forecast.role);
    estimate.lines = evaluation.get().items();
    estimate.calls = forecast.calls;
    estimate.input_tokens = forecast.input_tokens;
    estimate.most_output_tokens = forecast.most_output_tokens;
    if (const auto price = surroundings.prices.find(forecast.model))
      estimate.most_cost_usd =
          llm::cost_of(*price, {estimate.input_tokens, estimate.most_output_tokens, std::nullopt});
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

}  // namespace personascope::run
