#include "store/sqlite/checkpointer.hpp"

#include <utility>

namespace personascope::store {
namespace {

// 32 MB: that many joins the scattered writes of the index.
constexpr int kWorthCopying = 4000;

// Copies what no reader needs in the log any more. What is left, also after a failure (a full disk,
// another process at it), stays in the log, and the next commit says so if it matters.
void copy_back(Connection& connection) {
  static_cast<void>(connection.execute("PRAGMA wal_checkpoint(PASSIVE)"));
}

}  // namespace

Checkpointer::Checkpointer(Connection copying, Connection& writing)
    : copying_(std::move(copying)), writing_(writing), next_at_(kWorthCopying) {
  writing_.count_log_pages(pages_);
  thread_ = std::thread([this] { work(); });
}

Checkpointer::~Checkpointer() {
  {
    const std::lock_guard lock(mutex_);
    state_ = State::Closing;
  }
  wake_.notify_one();
  thread_.join();
}

void Checkpointer::on_commit() {
  const std::lock_guard lock(mutex_);
  if (pages_ < next_at_ - kWorthCopying) next_at_ = kWorthCopying;  // the log has begun anew
  if (state_ == State::Idle && pages_ >= next_at_) {
    state_ = State::Asked;
    next_at_ = pages_ + kWorthCopying;
    wake_.notify_one();
  } else if (state_ == State::Copied) {
    state_ = State::Idle;
    copy_back(writing_);
  }
}

void Checkpointer::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return state_ == State::Asked || state_ == State::Closing; });
    if (state_ == State::Closing) return;
    lock.unlock();
    copy_back(copying_);
    lock.lock();
    if (state_ == State::Asked) state_ = State::Copied;
  }
}

}  // namespace personascope::store
