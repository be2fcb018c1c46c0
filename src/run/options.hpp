// How a run is carried out: limits, time-outs and what may be re-used. Part of the run's plan, so
// that `resume` goes on as it was begun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "http/client.hpp"
#include "llm/ask_chain.hpp"
#include "llm/budget.hpp"
#include "llm/embedded/embedded_model.hpp"

namespace personascope::run {

// A value that is not set has the default that the name's comment gives.
struct EngineOptions {
  std::optional<std::int64_t> max_connections;    // 1000: adapts up to this many
  std::optional<std::int64_t> fixed_connections;  // none: does not adapt
  std::optional<double> calls_per_minute;
  std::optional<double> tokens_per_minute;
  std::optional<std::int64_t> max_retries;  // 8
  std::optional<double> timeout_s;          // 1800: one call with all its retries
  std::optional<double> attempt_timeout_s;  // 600
  std::optional<double> idle_timeout_s;     // 60
  std::optional<double> hedge_after_s;      // no hedging
  std::optional<double> max_cost_usd;
  std::optional<std::int64_t> max_calls;
  std::optional<std::int64_t> max_tokens;
  std::optional<double> fail_on_error;             // 0: below 1 a share of the units, else a number
  std::optional<bool> fresh;                       // re-use no earlier answer
  std::optional<bool> replay;                      // allow no call
  std::optional<bool> retry_failed;                // ask again where the stored answer is an error
  std::optional<std::int64_t> embedded_memory_mb;  // 512
  std::optional<std::int64_t> embedded_parallel;   // 32
  std::optional<std::string> aws_region;           // the environment's
};

Json to_json(const EngineOptions& options);
// Unknown members are of a later version and are left out.
EngineOptions read_engine_options(const Json& value);
// Every value that `over` sets, else the one of `base`.
EngineOptions merge(const EngineOptions& base, const EngineOptions& over);

http::Timeouts timeouts_of(const EngineOptions& options);
llm::EmbeddedOptions embedded_options_of(const EngineOptions& options);
llm::BudgetLimits limits_of(const EngineOptions& options);
// Everything but what belongs to the single run (its id, salt and roles).
llm::ChainOptions chain_options_of(const EngineOptions& options);

}  // namespace personascope::run
