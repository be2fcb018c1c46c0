#include "run/options.hpp"

#include <algorithm>

namespace personascope::run {
namespace {

// The one list of the fields: calls `visit(name, member pointer)` for each.
template <class Visitor>
void for_each_field(Visitor visit) {
  visit("max_connections", &EngineOptions::max_connections);
  visit("fixed_connections", &EngineOptions::fixed_connections);
  visit("calls_per_minute", &EngineOptions::calls_per_minute);
  visit("tokens_per_minute", &EngineOptions::tokens_per_minute);
  visit("max_retries", &EngineOptions::max_retries);
  visit("timeout_s", &EngineOptions::timeout_s);
  visit("attempt_timeout_s", &EngineOptions::attempt_timeout_s);
  visit("idle_timeout_s", &EngineOptions::idle_timeout_s);
  visit("hedge_after_s", &EngineOptions::hedge_after_s);
  visit("max_cost_usd", &EngineOptions::max_cost_usd);
  visit("max_calls", &EngineOptions::max_calls);
  visit("max_tokens", &EngineOptions::max_tokens);
  visit("fail_on_error", &EngineOptions::fail_on_error);
  visit("fresh", &EngineOptions::fresh);
  visit("replay", &EngineOptions::replay);
  visit("retry_failed", &EngineOptions::retry_failed);
  visit("embedded_memory_mb", &EngineOptions::embedded_memory_mb);
  visit("embedded_parallel", &EngineOptions::embedded_parallel);
  visit("aws_region", &EngineOptions::aws_region);
}

milliseconds make_milliseconds(double in_seconds) {
  constexpr double kLongest = 7 * 24 * 3600.0;
  // Never 0, which would mean no time-out at all.
  return milliseconds(static_cast<long long>(std::clamp(in_seconds, 0.001, kLongest) * 1000));
}

}  // namespace

Json to_json(const EngineOptions& options) {
  Json value = Json::object();
  for_each_field([&](const char* name, auto member) {
    if (options.*member) value[name] = *(options.*member);
  });
  return value;
}

EngineOptions read_engine_options(const Json& value) {
  EngineOptions options;
  for_each_field([&](const char* name, auto member) {
    using Value = typename std::remove_reference_t<decltype(options.*member)>::value_type;
    const Json* entry = find_member(value, name);
    if (!entry) return;
    if constexpr (std::is_same_v<Value, bool>) {
      if (entry->is_boolean()) options.*member = entry->template get<bool>();
    } else if constexpr (std::is_same_v<Value, double>) {
      options.*member = find_number(value, name);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      options.*member = find_text(value, name);
    } else {
      options.*member = find_integer(value, name);
    }
  });
  return options;
}

EngineOptions merge(const EngineOptions& base, const EngineOptions& over) {
  EngineOptions merged = base;
  for_each_field([&](const char*, auto member) {
    if (over.*member) merged.*member = over.*member;
  });
  return merged;
}

http::Timeouts timeouts_of(const EngineOptions& options) {
  http::Timeouts timeouts;
  if (options.attempt_timeout_s) timeouts.total = make_milliseconds(*options.attempt_timeout_s);
  if (options.idle_timeout_s) timeouts.idle = make_milliseconds(*options.idle_timeout_s);
  timeouts.connect = std::min(timeouts.connect, timeouts.total);
  return timeouts;
}

llm::EmbeddedOptions embedded_options_of(const EngineOptions& options) {
  llm::EmbeddedOptions embedded;
  if (options.embedded_memory_mb)
    embedded.memory_mb = static_cast<int>(*options.embedded_memory_mb);
  if (options.embedded_parallel) embedded.parallel = static_cast<int>(*options.embedded_parallel);
  return embedded;
}

llm::BudgetLimits limits_of(const EngineOptions& options) {
  return {options.max_cost_usd, options.max_calls, options.max_tokens};
}

llm::ChainOptions chain_options_of(const EngineOptions& options) {
  llm::ChainOptions chain;
  sched::LimitOptions& limit = chain.limiter.limit;
  if (options.max_connections) limit.most = static_cast<int>(*options.max_connections);
  if (options.fixed_connections) {
    limit.most = static_cast<int>(*options.fixed_connections);
    limit.adapt = false;
  }
  chain.limiter.pace = {options.calls_per_minute, options.tokens_per_minute};
  if (options.max_retries) chain.retry.max_retries = static_cast<int>(*options.max_retries);
  if (options.timeout_s) chain.total_timeout = make_milliseconds(*options.timeout_s);
  if (options.hedge_after_s) chain.hedge_after = make_milliseconds(*options.hedge_after_s);
  chain.fresh = options.fresh.value_or(false);
  chain.replay = options.replay.value_or(false);
  chain.retry_failed = options.retry_failed.value_or(false);
  return chain;
}

}  // namespace personascope::run
