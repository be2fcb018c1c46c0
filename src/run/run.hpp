// A run as a handle: it is carried out on a thread of its own, and whoever has the handle watches
// it, stops it and waits for it. Any number of runs may live in one process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "run/environment.hpp"
#include "run/progress.hpp"
#include "run/summary.hpp"

namespace personascope::run {

// Every method may be called from any thread, but for moving and destroying the handle. Nothing is
// thrown: an exception in the run becomes an Error of kind Internal. Knows nothing of signals: a
// program that wants Ctrl-C to stop a run calls stop().
class Run {
 public:
  // Carries the run out; called once, on the run's thread. It reports progress to the sink, and
  // winds down when a stop is requested.
  using Work = std::move_only_function<Result<RunSummary>(std::stop_token, const ProgressSink&)>;

  // Starts the thread. `on_progress` (may be empty) is called on it, and must not wait for this
  // run; what it refers to must outlive the run, and so must what `work` refers to.
  Run(std::int64_t id, ProgressSink on_progress, Work work);
  // Stops the run and waits for its end.
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  // The number it has in the store.
  std::int64_t id() const;

  // How far it was when it last said so, ten times a second or so.
  Progress progress() const;

  // Asks it to wind down: what is in flight may finish, nothing new is begun. Returns at once, and
  // does nothing more if it is called again or the run has ended. The run ends as Cancelled,
  // unless something else has stopped it or it was done before; it can be resumed.
  void stop() const;

  // Waits for the end, and gives the same to everybody who waits. Fails if the run could not be
  // carried out at all, for example as Invalid if another process is at it; how a run ended that
  // was begun is in the summary.
  Result<RunSummary> wait() const;
  // Waits so long at most; whether the run has ended.
  bool wait_for(Duration duration) const;

 private:
  struct State;
  std::unique_ptr<State> state_;  // at one place, for the thread
};

// The run `id` of that environment, carried out by `work`, which gets a copy of the environment
// with the handle's stop in it.
Run start_run(std::int64_t id, RunEnvironment environment,
              std::move_only_function<Result<RunSummary>(const RunEnvironment&)> work);

}  // namespace personascope::run
