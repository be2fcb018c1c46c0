#include "llm/embedded/worker_pool.hpp"

namespace personascope::llm::embedded {

WorkerPool::WorkerPool(int threads) {
  for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::for_each(std::size_t count, const std::function<void(std::size_t)>& part) {
  if (threads_.empty() || count < 2) {
    for (std::size_t i = 0; i < count; ++i) part(i);
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    part_ = &part;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<int>(threads_.size());
    ++step_;
  }
  changed_.notify_all();
  take_parts();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return busy_ == 0; });
}

void WorkerPool::run() {
  std::uint64_t done = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return is_ending_ || step_ != done; });
    if (is_ending_) return;
    done = step_;
    lock.unlock();
    take_parts();
    lock.lock();
    if (--busy_ == 0) changed_.notify_all();
  }
}

void WorkerPool::take_parts() {
  for (std::size_t i = next_++; i < count_; i = next_++) (*part_)(i);
}

}  // namespace personascope::llm::embedded
