// Threads that share the parts of one step of work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace personascope::llm::embedded {

// Used from one thread at a time.
class WorkerPool {
 public:
  // With the calling thread there are `threads` of them; 1 or less starts none.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls `part` with 0 to count - 1, each once, on any of the threads; returns when all calls have
  // returned. `part` must not throw.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& part);

 private:
  void run();
  void take_parts();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t step_ = 0;  // guarded by the mutex, as the next three
  int busy_ = 0;            // threads that are still in this step
  bool is_ending_ = false;
  const std::function<void(std::size_t)>* part_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace personascope::llm::embedded
