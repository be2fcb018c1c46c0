#include "store/sample_records.hpp"

namespace personascope::store {

CallRecord sample_call(const std::string& name, std::int64_t run) {
  return {.key = sha256(name),
          .run = run,
          .item = "item of " + name,
          .role = "model",
          .endpoint = R"({"provider":"openai"})",
          .request = R"({"messages":[]})",
          .replicate = R"({"try":0})",
          .answer = core::Reply{.text = "answer to " + name,
                                .model = "gpt-4o-2024",
                                .finish = core::FinishReason::Length,
                                .usage = {12, 34, 5},
                                .logprobs = {}},
          .cost_usd = 0.25,
          .latency_us = 1500};
}

AttemptRecord sample_attempt(const std::string& name, std::int64_t run) {
  return {.key = sha256(name),
          .run = run,
          .item = "item of " + name,
          .error = {ErrorKind::RateLimited, "slow down, " + name},
          .latency_us = 90};
}

RunRecord sample_run(const std::string& uid) {
  RunRecord run;
  run.uid = uid;
  run.command = "gym";
  run.model = "openai/gpt-4o";
  run.judge = "openai/gpt-4o-mini";
  run.plan = {{"model", "openai/gpt-4o"}, {"seed", 7}};
  run.started_at = "2026-11-15T03:41:00Z";
  run.items = 3;
  return run;
}

core::ItemRecord sample_item(std::int64_t position, core::Outcome outcome) {
  core::ItemRecord item;
  item.position = position;
  item.id = fmt::format("p{}/task/{}", position / 10, position);
  item.cluster = fmt::format("p{}", position / 10);
  item.label = position % 2 == 0 ? "even" : "odd";
  item.outcome = outcome;
  item.document = {{"question", fmt::format("Question {}?", position)}, {"answer", nullptr}};
  if (outcome == core::Outcome::Scored) item.score = static_cast<double>(position % 5 + 1);
  if (outcome == core::Outcome::Failed) item.error = Error{ErrorKind::Timeout, "no answer in 60 s"};
  return item;
}

}  // namespace personascope::store
