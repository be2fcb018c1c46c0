#include "run/estimate.hpp"

#include <algorithm>
#include <set>

#include "llm/call.hpp"
#include "llm/estimate.hpp"
#include "llm/providers/catalog.hpp"
#include "llm/structured.hpp"
#include "run/batch_line.hpp"

namespace personascope::run {
namespace {

constexpr std::int64_t kTimedCalls = 200;  // how many earlier calls the latency is taken from
constexpr double kAssumedInFlight = 64;    // where an adaptive limit may settle

// The mean latency of earlier calls to the endpoint, in seconds.
Result<std::optional<double>> find_latency(store::Store& store, const std::string& endpoint) {
  ASSIGN_OR_RETURN(const auto calls,
                   store.load_calls("", std::string(llm::kModelRole), kTimedCalls));
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
                {"most_output_tokens", estimate.most_output_tokens},
                {"most_cost_usd", nullptr},
                {"seconds", nullptr}};
  if (estimate.most_cost_usd) value["most_cost_usd"] = *estimate.most_cost_usd;
  if (estimate.seconds) value["seconds"] = *estimate.seconds;
  return value;
}

Result<Estimate> estimate_batch(const Surroundings& surroundings, const std::string& input,
                                const std::string& model_name,
                                const std::optional<std::string>& base_url,
                                const EngineOptions& engine) {
  sched::Loop loop;
  http::Client client(loop);
  ASSIGN_OR_RETURN(const auto model, llm::make_model(model_name, {base_url, {}, {}},
                                                     surroundings.environment, client));
  Estimate estimate;
  std::set<Digest> seen;
  estimate.model = llm::render_name(model->endpoint());
  const auto visit = [&](const BatchLine& line) -> Result<void> {
    const llm::Draw draw{.item = line.id, .role = line.role};
    const llm::Call call =
        llm::make_call(model->endpoint(), llm::make_first_request(*model, line.request), draw, "");
    if (!seen.insert(call.key).second) return {};  // sent once, however often it is asked
    ASSIGN_OR_RETURN(const auto answer, surroundings.store.find_answer(call.key));
    if (answer && !engine.fresh.value_or(false)) {
      ++estimate.from_journal;
      return {};
    }
    const llm::CallSize size = llm::estimate_size(line.request);
    ++estimate.calls;
    estimate.input_tokens += size.input_tokens;
    estimate.most_output_tokens += size.output_tokens;
    return {};
  };
  ASSIGN_OR_RETURN(const BatchFile file, check_batch_file(input, visit));
  estimate.lines = file.lines;
  if (const auto price = surroundings.prices.find(estimate.model))
    estimate.most_cost_usd =
        llm::cost_of(*price, {estimate.input_tokens, estimate.most_output_tokens, std::nullopt});
  ASSIGN_OR_RETURN(const auto latency,
                   find_latency(surroundings.store, render_json(llm::to_json(model->endpoint()))));
  if (latency) {
    const double in_flight = std::min(
        static_cast<double>(std::max<std::int64_t>(estimate.calls, 1)),
        engine.max_connections ? static_cast<double>(*engine.max_connections) : kAssumedInFlight);
    double in_seconds = static_cast<double>(estimate.calls) * *latency / in_flight;
    if (engine.calls_per_minute)
      in_seconds =
          std::max(in_seconds, static_cast<double>(estimate.calls) / *engine.calls_per_minute * 60);
    estimate.seconds = in_seconds;
  }
  return estimate;
}

}  // namespace personascope::run
