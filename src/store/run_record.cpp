#include "store/run_record.hpp"

#include <array>

namespace personascope::store {

std::string_view name_of(RunState state) {
  switch (state) {
    case RunState::Running:
      return "running";
    case RunState::Done:
      return "done";
    case RunState::Stopped:
      return "stopped";
    case RunState::Failed:
      break;
  }
  return "failed";
}

std::optional<RunState> find_run_state(std::string_view name) {
  using enum RunState;
  for (const RunState state : std::array{Running, Done, Stopped, Failed})
    if (name_of(state) == name) return state;
  return std::nullopt;
}

RunState present_state(const RunEntry& run, std::chrono::system_clock::time_point now) {
  if (run.state != RunState::Running) return run.state;
  const std::chrono::system_clock::time_point seen{std::chrono::seconds(run.heartbeat)};
  return now - seen > kHeartbeatExpires ? RunState::Stopped : RunState::Running;
}

}  // namespace personascope::store
