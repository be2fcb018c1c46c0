// How a run is carried out: limits, time-outs and what may be re-used. Part of the run's plan, so
// that `resume` goes on as it was begun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option_table.hpp"
#include "http/client.hpp"
#include "llm/ask_chain.hpp"
#include "llm/budget.hpp"
#include "llm/embedded/embedded_model.hpp"

namespace personascope::run {

// A value that is not set has the default that engine_options() names.
struct EngineOptions {
  std::optional<std::int64_t> max_connections;
  std::optional<std::int64_t> fixed_connections;  // without adapting to the server
  std::optional<double> calls_per_minute;
  std::optional<double> tokens_per_minute;
  std::optional<std::int64_t> max_retries;
  std::optional<double> timeout_s;
  std::optional<double> attempt_timeout_s;
  std::optional<double> idle_timeout_s;
  std::optional<double> hedge_after_s;
  std::optional<double> max_cost_usd;
  std::optional<std::int64_t> max_calls;
  std::optional<std::int64_t> max_tokens;
  std::optional<double> fail_on_error;          // below 1: a fraction of the items, else a number
  std::optional<std::string> reasoning_effort;  // of the model under test
  std::optional<std::int64_t> thinking_budget;
  std::optional<std::string> judge_reasoning_effort;
  std::optional<std::int64_t> judge_thinking_budget;
  std::optional<bool> fresh;
  std::optional<bool> replay;
  std::optional<bool> retry_failed;  // ask again where the stored answer is an error
  std::optional<std::int64_t> embedded_memory_mb;
  std::optional<std::int64_t> embedded_parallel;
  std::optional<std::string> aws_region;
  std::optional<double> confirm_above_usd;       // ask before a run that may cost more
  std::optional<std::vector<std::string>> tags;  // of a new run
};

// The stages are commands: "lens" has one option that the others do not have, and `ask` and
// `resume` lack those that belong to the start of a run.
const core::OptionTable<EngineOptions>& engine_options();

Json to_json(const EngineOptions& options);
// The member "engine" of a stored plan, or defaults if it has none; unknown members are of a later
// version and are left out. Fails as Invalid if a value has a wrong type or is out of range.
Result<EngineOptions> parse_stored_engine(const Json& plan);
// Every value that `over` sets, else the one of `base`.
EngineOptions merge(const EngineOptions& base, const EngineOptions& over);

http::Timeouts timeouts_of(const EngineOptions& options);
llm::EmbeddedOptions embedded_options_of(const EngineOptions& options);
llm::BudgetLimits limits_of(const EngineOptions& options);
// How much the models of a role may think.
core::Thinking thinking_of(const EngineOptions& options, std::string_view role);
// Everything but what belongs to the single run (its id, salt and roles).
llm::ChainOptions chain_options_of(const EngineOptions& options);

}  // namespace personascope::run
