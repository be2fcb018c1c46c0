#include "run/estimate.hpp"

#include <algorithm>

#include "llm/estimate.hpp"
#include "llm/structured.hpp"

namespace personascope::run {
namespace {

constexpr std::int64_t kTimedCalls = 200;  // how many earlier calls the latency is taken from
constexpr double kAssumedInFlight = 64;    // where an adaptive limit may settle

// The mean latency of earlier calls to the endpoint, in seconds.
Result<std::optional<double>> find_latency(store::Store& store, const std::string& endpoint,
                                           std::string_view role) {
  ASSIGN_OR_RETURN(const auto calls, store.reader().load_calls("", std::string(role), kTimedCalls));
  double sum = 0;
  int count = 0;
  for (const store::StoredCall& call : calls) {
    if (call.endpoint != endpoint) continue;
    sum += static_cast<double>(call.latency_us) / 1e6;
    ++count;
  }
  if (count == 0) return std::optional<double>{};
  return std::optional(sum / count);
}

}  // namespace

Json to_json(const Estimate& estimate) {
  Json value = {{"model", estimate.model},
                {"lines", estimate.lines},
                {"from_journal", estimate.from_journal},
                {"calls", estimate.calls},
                {"input_tokens", estimate.input_tokens},
                {"most_output_tokens", estimate.max_output_tokens},
                {"most_cost_usd", nullptr},
                {"seconds", nullptr}};
  if (estimate.max_cost_usd) value["most_cost_usd"] = *estimate.max_cost_usd;
  if (estimate.seconds) value["seconds"] = *estimate.seconds;
  return value;
}

CallEstimator::CallEstimator(const RunEnvironment& environment, const llm::Model& model,
                             const EngineOptions& engine)
    : environment_(environment), model_(model), engine_(engine) {
  estimate_.model = llm::render_name(model.endpoint());
}

Result<void> CallEstimator::add(const core::Request& request, const llm::Draw& draw) {
  const llm::Call call =
      llm::make_call(model_.endpoint(), llm::make_first_request(model_, request), draw, "");
  if (!seen_.insert(call.key).second) return {};  // sent once, however often it is asked
  ASSIGN_OR_RETURN(const auto answer, environment_.store.find_answer(call.key));
  if (answer && !engine_.fresh.value_or(false)) {
    ++estimate_.from_journal;
    return {};
  }
  const llm::CallSize size = llm::estimate_size(request);
  ++estimate_.calls;
  estimate_.input_tokens += size.input_tokens;
  estimate_.max_output_tokens += size.output_tokens;
  return {};
}

Result<Estimate> CallEstimator::finish(std::int64_t lines, std::string_view role) const {
  Estimate estimate = estimate_;
  estimate.lines = lines;
  if (const auto price = environment_.prices.find(estimate.model))
    estimate.max_cost_usd =
        llm::cost_of(*price, {estimate.input_tokens, estimate.max_output_tokens, std::nullopt});
  ASSIGN_OR_RETURN(
      const auto latency,
      find_latency(environment_.store, render_json(llm::to_json(model_.endpoint())), role));
  if (latency) {
    const double in_flight =
        std::min(static_cast<double>(std::max<std::int64_t>(estimate.calls, 1)),
                 engine_.fixed_connections ? static_cast<double>(*engine_.fixed_connections)
                 : engine_.max_connections ? static_cast<double>(*engine_.max_connections)
                                           : kAssumedInFlight);
    double in_seconds = static_cast<double>(estimate.calls) * *latency / in_flight;
    if (engine_.calls_per_minute)
      in_seconds = std::max(in_seconds,
                            static_cast<double>(estimate.calls) / *engine_.calls_per_minute * 60);
    estimate.seconds = in_seconds;
  }
  return estimate;
}

namespace {

// Nothing if the calls are not known before.
Result<std::vector<Estimate>> add_up_calls(const RunEnvironment& environment,
                                           const EngineOptions& engine,
                                           const eval::Evaluation& evaluation) {
  struct Asked {
    const llm::Model* model;
    std::string role;  // of its first call
    CallEstimator estimator;
  };
  std::vector<Asked> asked;
  ASSIGN_OR_RETURN(const bool is_known, evaluation.visit_calls([&](const llm::Model& model,
                                                                   const core::Request& request,
                                                                   const llm::Draw& draw) {
    auto place = std::ranges::find(asked, &model, &Asked::model);
    if (place == asked.end()) {
      asked.push_back({&model, draw.role, CallEstimator(environment, model, engine)});
      place = asked.end() - 1;
    }
    return place->estimator.add(request, draw);
  }));
  std::vector<Estimate> estimates;
  if (!is_known) return estimates;
  for (const Asked& one : asked) {
    ASSIGN_OR_RETURN(Estimate estimate, one.estimator.finish(evaluation.items(), one.role));
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

}  // namespace

Result<std::vector<Estimate>> estimate_evaluation(const RunEnvironment& environment,
                                                  const EvaluationPlan& plan,
                                                  const MakeEvaluation& make) {
  EvaluationPlan unlimited = plan;
  unlimited.engine.max_cost_usd.reset();  // a price that is not known is no obstacle here
  ASSIGN_OR_RETURN(const MadeEvaluation made, make_with_models(environment, unlimited, make));
  ASSIGN_OR_RETURN(std::vector<Estimate> estimates,
                   add_up_calls(environment, plan.engine, *made.evaluation));
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
