// A run as the store keeps it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "core/metric.hpp"
#include "core/outcome.hpp"

namespace personascope::store {

enum class RunState { Running, Done, Stopped, Failed };

// "running", "done", "stopped", "failed".
std::string_view name_of(RunState state);
std::optional<RunState> find_run_state(std::string_view name);

// What a run has paid so far, over all its sessions. An answer from the journal costs nothing.
struct Spending {
  std::int64_t calls = 0;  // requests sent, retries included, even if another's answer was kept
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  double cost_usd = 0;
  std::int64_t unpriced_calls = 0;  // answered calls whose price is not known
  // With what requests of unknown cost may have taken (see Charge): what limits must count.
  std::int64_t max_tokens = 0;
  double max_cost_usd = 0;
};

// What a list of runs shows. Reading it does not read plan and findings, which may be large.
struct RunEntry {
  std::int64_t id = 0;  // small and counted up from 1, for people to type
  std::string uid;      // unique over all stores: 32 hex digits
  std::string command;  // "batch", "gym", ...
  std::string model;    // under test; empty if there is none
  std::string judge;    // names joined by ", "; empty if there is no judge
  RunState state = RunState::Running;
  std::string note;              // why it stopped or failed; empty otherwise
  std::string started_at;        // UTC
  std::string finished_at;       // UTC; empty while it runs
  std::int64_t heartbeat = 0;    // seconds since 1970 at which its process was last alive
  std::int64_t items = 0;        // how many items the plan has
  core::OutcomeCounts outcomes;  // of the items recorded so far
  Spending spending;
  std::optional<core::Metric> headline;  // its most important number, once it is done
  std::vector<std::string> tags;         // sorted
};

// A run in the state Running whose process has sent no heartbeat for this long was
// killed.
inline constexpr std::chrono::seconds kHeartbeatExpires{30};

// The state with a killed run shown as Stopped.
RunState present_state(const RunEntry& run, std::chrono::system_clock::time_point now);

struct RunRecord : RunEntry {
  Json plan;     // all that is needed to run it again
  Json results;  // what it found; null until it is done
};

}  // namespace personascope::store
