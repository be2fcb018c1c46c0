#include "run/options.hpp"

#include <algorithm>

namespace personascope::run {
namespace {

constexpr const char* kGroup = "How calls are made";
// The commands that start a run.
const std::vector<std::string> kStarting{"gym", "bench", "lens", "batch", "judge", "lift"};

// The commands with judges.
const std::vector<std::string> kJudging{"gym", "bench", "lens", "judge"};

std::vector<std::string> efforts() {
  return {core::kEfforts.begin(), core::kEfforts.end()};
}

milliseconds make_milliseconds(double in_seconds) {
  constexpr double kLongest = 7 * 24 * 3600.0;
  // Never 0, which would mean no time-out at all.
  return milliseconds(static_cast<long long>(std::clamp(in_seconds, 0.001, kLongest) * 1000));
}

}  // namespace

const core::OptionTable<EngineOptions>& engine_options() {
  static const core::OptionTable<EngineOptions> table{
      {&EngineOptions::max_connections,
       {.name = "max_connections",
        .value = "N",
        .least = 1,
        .most = 100000,
        .group = kGroup,
        .otherwise = "1000",
        .sentence = "at most N calls in flight for each role; adapts to the server below that"}},
      {&EngineOptions::fixed_connections,
       {.name = "fixed_connections",
        .value = "N",
        .least = 1,
        .most = 100000,
        .group = kGroup,
        .otherwise = "adapts to the server",
        .sentence = "always N calls in flight for each role, even if the server refuses some"}},
      {&EngineOptions::calls_per_minute,
       {.name = "rpm",
        .old_names = {"calls_per_minute"},
        .value = "N",
        .least = 1,
        .most = 1000000000000000.0,
        .group = kGroup,
        .sentence = "at most N calls per minute"}},
      {&EngineOptions::tokens_per_minute,
       {.name = "tpm",
        .old_names = {"tokens_per_minute"},
        .value = "N",
        .least = 1,
        .most = 1000000000000000.0,
        .group = kGroup,
        .sentence = "at most N tokens per minute"}},
      {&EngineOptions::max_retries,
       {.name = "max_retries",
        .value = "N",
        .least = 0,
        .most = 1000,
        .group = kGroup,
        .otherwise = "8",
        .sentence = "retries after the first attempt"}},
      {&EngineOptions::timeout_s,
       {.name = "timeout",
        .old_names = {"timeout_s"},
        .value = "SECONDS",
        .least = 0.001,
        .most = 1000000000000000.0,
        .group = kGroup,
        .otherwise = "1800",
        .sentence = "time limit of a call with all its retries"}},
      {&EngineOptions::attempt_timeout_s,
       {.name = "attempt_timeout",
        .old_names = {"attempt_timeout_s"},
        .value = "SECONDS",
        .least = 0.001,
        .most = 1000000000000000.0,
        .group = kGroup,
        .otherwise = "600",
        .sentence = "time limit of one attempt"}},
      {&EngineOptions::idle_timeout_s,
       {.name = "idle_timeout",
        .old_names = {"idle_timeout_s"},
        .value = "SECONDS",
        .least = 0.001,
        .most = 1000000000000000.0,
        .group = kGroup,
        .otherwise = "60",
        .sentence = "longest silence within an answer"}},
      {&EngineOptions::hedge_after_s,
       {.name = "hedge_after",
        .old_names = {"hedge_after_s"},
        .value = "SECONDS",
        .least = 0.001,
        .most = 1000000000000000.0,
        .group = kGroup,
        .otherwise = "off",
        .sentence = "send a call that takes longer a second time; both are paid for"}},
      {&EngineOptions::max_cost_usd,
       {.name = "max_cost",
        .old_names = {"max_cost_usd"},
        .value = "USD",
        .least = 0,
        .most = 1000000000000000.0,
        .group = kGroup,
        .sentence = "stop the run before it costs more"}},
      {&EngineOptions::max_calls,
       {.name = "max_calls",
        .value = "N",
        .least = 0,
        .most = 1000000000000000.0,
        .group = kGroup,
        .sentence = "stop the run before it sends more calls"}},
      {&EngineOptions::max_tokens,
       {.name = "max_tokens",
        .value = "N",
        .least = 0,
        .most = 1000000000000000.0,
        .group = kGroup,
        .sentence = "stop the run before it uses more tokens"}},
      {&EngineOptions::confirm_above_usd,
       {.name = "confirm_above",
        .value = "USD",
        .least = 0,
        .most = 1000000000000000.0,
        .stages = kStarting,
        .group = kGroup,
        .otherwise = "never",
        .sentence = "ask before starting a run that may cost more"}},
      {&EngineOptions::fail_on_error,
       {.name = "fail_on_error",
        .value = "N",
        .least = 0,
        .most = 1000000000000000.0,
        .group = kGroup,
        .otherwise = "0",
        .sentence = "tolerate up to N failed items (below 1: a fraction)"}},
      {&EngineOptions::embedded_memory_mb,
       {.name = "embedded_memory",
        .old_names = {"embedded_memory_mb"},
        .value = "MB",
        .least = 16,
        .most = 1048576,
        .group = kGroup,
        .otherwise = "512",
        .sentence = "memory for what an embedded model reads and writes, besides its weights"}},
      {&EngineOptions::embedded_parallel,
       {.name = "embedded_parallel",
        .value = "N",
        .least = 1,
        .most = 192,
        .group = kGroup,
        .otherwise = "32",
        .sentence = "answers that an embedded model writes at the same time; 1: repeatable with "
                    "the same seed"}},
      {&EngineOptions::reasoning_effort,
       {.name = "reasoning_effort",
        .value = "EFFORT",
        .choices = efforts(),
        .group = kGroup,
        .otherwise = "the provider's",
        .sentence = "how much the model under test thinks before answering: none, minimal, low, "
                    "medium or high"}},
      {&EngineOptions::thinking_budget,
       {.name = "thinking_budget",
        .value = "N",
        .least = 0,
        .most = 1000000,
        .group = kGroup,
        .sentence = "tokens that the model under test may think, besides those of the answer"}},
      {&EngineOptions::judge_reasoning_effort,
       {.name = "judge_reasoning_effort",
        .value = "EFFORT",
        .choices = efforts(),
        .stages = kJudging,
        .group = kGroup,
        .otherwise = "the provider's",
        .sentence =
            "how much the judges think before answering: none, minimal, low, medium or high"}},
      {&EngineOptions::judge_thinking_budget,
       {.name = "judge_thinking_budget",
        .value = "N",
        .least = 0,
        .most = 1000000,
        .stages = kJudging,
        .group = kGroup,
        .sentence = "tokens that the judges may think, besides those of the answer"}},
      {&EngineOptions::fresh,
       {.name = "fresh", .group = kGroup, .sentence = "do not re-use answers of earlier runs"}},
      {&EngineOptions::replay,
       {.name = "replay",
        .excludes = {"fresh"},
        .group = kGroup,
        .sentence = "send nothing: every answer must be stored already"}},
      {&EngineOptions::retry_failed,
       {.name = "retry_failed",
        .stored_only = true,  // only `resume` offers it
        .sentence = "ask again where the stored answer is an error"}},
      {&EngineOptions::tags,
       {.name = "tags",
        .flag = "tag",
        .value = "TAG",
        .stages = kStarting,
        .sentence = "tag the run; may be repeated"}},
      {&EngineOptions::aws_region,
       {.name = "aws_region",
        .flag = "bedrock_region",
        .short_flag = "r",
        .value = "NAME",
        .stages = {"lens"},
        .otherwise = "the environment's",
        .sentence = "region of Bedrock's models"}}};
  return table;
}

Json to_json(const EngineOptions& options) {
  return engine_options().to_json(options);
}

Result<EngineOptions> parse_stored_engine(const Json& plan) {
  const Json* stored = find_member(plan, "engine");
  auto options = engine_options().parse(stored ? *stored : Json::object());
  if (!options)
    return fail(ErrorKind::Invalid, "the stored plan is damaged: {}", options.error().message);
  return options;
}

EngineOptions merge(const EngineOptions& base, const EngineOptions& over) {
  return engine_options().merge(base, over);
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

core::Thinking thinking_of(const EngineOptions& options, std::string_view role) {
  if (role == llm::kModelRole) return {options.reasoning_effort, options.thinking_budget};
  if (role == llm::kJudgeRole)
    return {options.judge_reasoning_effort, options.judge_thinking_budget};
  return {};
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
  for (const std::string_view role : {llm::kModelRole, llm::kJudgeRole}) {
    core::Thinking thinking = thinking_of(options, role);
    if (thinking.effort || thinking.budget) chain.thinking[std::string(role)] = std::move(thinking);
  }
  chain.fresh = options.fresh.value_or(false);
  chain.replay = options.replay.value_or(false);
  chain.retry_failed = options.retry_failed.value_or(false);
  return chain;
}

}  // namespace personascope::run
