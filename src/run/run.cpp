#include "run/run.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/exception.hpp"

namespace personascope::run {

struct Run::State {
  std::int64_t id = 0;
  ProgressSink on_progress;
  mutable std::mutex mutex;  // of the two below
  Progress progress;
  std::optional<Result<RunSummary>> ended;
  mutable std::condition_variable end;
  std::jthread thread;  // last: it uses the others, and is stopped and joined first

  void take(const Progress& now) {
    {
      const std::lock_guard lock(mutex);
      progress = now;
    }
    if (on_progress) on_progress(now);
  }

  void carry_out(std::stop_token stop, Work& work) {
    Result<RunSummary> result;
    try {
      result = work(std::move(stop), [this](const Progress& now) { take(now); });
    } catch (...) {
      result = std::unexpected(make_internal_error(std::current_exception()));
    }
    const std::lock_guard lock(mutex);
    ended = std::move(result);
    end.notify_all();
  }
};

Run::Run(std::int64_t id, ProgressSink on_progress, Work work) : state_(std::make_unique<State>()) {
  state_->id = id;
  state_->on_progress = std::move(on_progress);
  state_->progress.run = id;
  state_->thread =
      std::jthread([state = state_.get(), work = std::move(work)](std::stop_token stop) mutable {
        state->carry_out(std::move(stop), work);
      });
}

Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

std::int64_t Run::id() const {
  return state_->id;
}

Progress Run::progress() const {
  const std::lock_guard lock(state_->mutex);
  return state_->progress;
}

void Run::stop() const {
  state_->thread.request_stop();
}

Result<RunSummary> Run::wait() const {
  std::unique_lock lock(state_->mutex);
  state_->end.wait(lock, [this] { return state_->ended.has_value(); });
  return *state_->ended;
}

bool Run::wait_for(Duration duration) const {
  std::unique_lock lock(state_->mutex);
  return state_->end.wait_for(lock, duration, [this] { return state_->ended.has_value(); });
}

Run start_run(std::int64_t id, RunEnvironment environment,
              std::move_only_function<Result<RunSummary>(const RunEnvironment&)> work) {
  ProgressSink on_progress = std::move(environment.on_progress);
  return {id, std::move(on_progress),
          [environment = std::move(environment), work = std::move(work)](
              std::stop_token stop, const ProgressSink& sink) mutable {
            environment.stop = std::move(stop);
            environment.on_progress = sink;
            return work(environment);
          }};
}

}  // namespace personascope::run
