#include "store/sqlite/commit_queue.hpp"

#include <future>
#include <utility>

#include "base/clock.hpp"

namespace personascope::store {
namespace {

// IMMEDIATE: the wait for another process's lock comes here, before anything is written.
constexpr const char* kBegin = "BEGIN IMMEDIATE";
constexpr const char* kCommit = "COMMIT";
constexpr const char* kRollback = "ROLLBACK";
constexpr milliseconds kGatherFor{1};

Result<void> run(Connection& connection, const char* sql) {
  ASSIGN_OR_RETURN(Query query, connection.query(sql));
  return query.run();
}

}  // namespace

CommitQueue::CommitQueue(Connection connection, Connection copying)
    : connection_(std::move(connection)),
      checkpointer_(std::move(copying), connection_),
      thread_([this] { work(); }) {}

CommitQueue::~CommitQueue() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void CommitQueue::push(Write write, Committed committed) {
  enqueue({std::move(write), std::move(committed), Report::AtFlush, {}}, Urgency::CanGather);
}

// The promises below belong to the callback: the caller may be gone while set_value still returns.

Result<void> CommitQueue::push_and_wait(Write write) {
  std::promise<Result<void>> done;
  auto result = done.get_future();
  enqueue({std::move(write),
           [done = std::move(done)](Result<void> written) mutable {
             done.set_value(std::move(written));
           },
           Report::ToCaller,
           {}},
          Urgency::AtOnce);
  return result.get();
}

Result<void> CommitQueue::flush() {
  std::promise<Result<void>> done;
  auto result = done.get_future();
  enqueue({[](Connection&) -> Result<void> { return {}; },
           [this, done = std::move(done)](const Result<void>&) mutable {
             done.set_value(std::exchange(first_error_, {}));
           },
           Report::AtFlush,
           {}},
          Urgency::AtOnce);
  return result.get();
}

void CommitQueue::enqueue(Entry entry, Urgency urgency) {
  bool is_awaited = false;
  {
    const std::lock_guard lock(mutex_);
    is_urgent_ = is_urgent_ || urgency == Urgency::AtOnce;
    is_awaited = waiting_.empty() || is_urgent_;
    waiting_.push_back(std::move(entry));
  }
  if (is_awaited) wake_.notify_one();
}

void CommitQueue::work() {
  std::vector<Entry> batch;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      wake_.wait_for(lock, kGatherFor, [this] { return closing_ || is_urgent_; });
      is_urgent_ = false;
      batch.swap(waiting_);
    }
    commit(batch);
    batch.clear();
  }
}

void CommitQueue::commit(std::vector<Entry>& batch) {
  const Result<void> written = write_all(batch);
  for (Entry& entry : batch) {
    if (!written) entry.result = written;
    if (!entry.result && entry.report == Report::AtFlush && first_error_)
      first_error_ = entry.result;
    if (entry.committed) entry.committed(std::move(entry.result));
  }
  checkpointer_.on_commit();
}

Result<void> CommitQueue::write_all(std::vector<Entry>& batch) {
  const auto write_and_commit = [&]() -> Result<void> {
    // What is written to a file without a name is lost with the process.
    if (connection_.has_moved())
      return fail(ErrorKind::Storage, "the store was deleted or moved while it was in use");
    RETURN_IF_ERROR(run(connection_, kBegin));
    for (Entry& entry : batch) {
      entry.result = entry.write(connection_);
      if (!entry.result && entry.result.error().kind == ErrorKind::Storage) return entry.result;
    }
    return run(connection_, kCommit);
  };
  Result<void> written = write_and_commit();
  if (!written && connection_.in_transaction()) {
    // If this fails too, the next BEGIN says so.
    static_cast<void>(run(connection_, kRollback));
  }
  return written;
}

}  // namespace personascope::store
