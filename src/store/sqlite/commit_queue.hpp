// Group commit: one thread owns the write connection and commits all that is waiting at once.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/checkpointer.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

// While one batch is being committed the next one is collected, so batches grow with the load. If
// no caller waits for a batch, it is collected for a millisecond longer: a commit costs more than
// the writes of that time. Callers of push_and_wait() and flush() do not wait for this.
//
// A write that fails as Storage undoes its whole batch, and all writes in it get that error; one
// that fails otherwise (a record that the schema rejects) fails alone, and must have changed
// nothing. The next batch is not affected.
class CommitQueue {
 public:
  // Runs on the queue's thread, inside the batch's transaction.
  using Write = std::move_only_function<Result<void>(Connection&)>;
  // Called on the queue's thread, exactly once, after the commit or the failure. It may push, but
  // not wait for the queue. May be empty.
  using Committed = std::move_only_function<void(Result<void>)>;

  // Two connections to one file: the second folds the log back.
  CommitQueue(Connection connection, Connection copying);
  // Commits what is queued, then joins the thread.
  ~CommitQueue();
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  // From any thread; returns at once.
  void push(Write write, Committed committed);
  // From any thread but the queue's own; returns after the commit.
  Result<void> push_and_wait(Write write);
  // Returns when everything pushed before is committed, with the first error of a push() since the
  // last flush, if there was one.
  Result<void> flush();

 private:
  enum class Report { AtFlush, ToCaller };
  enum class Urgency { CanGather, AtOnce };
  struct Entry {
    Write write;
    Committed committed;
    Report report = Report::AtFlush;
    Result<void> result;
  };

  void enqueue(Entry entry, Urgency urgency);
  void work();
  void commit(std::vector<Entry>& batch);
  Result<void> write_all(std::vector<Entry>& batch);

  Connection connection_;
  Checkpointer checkpointer_;
  Result<void> first_error_;  // touched by the queue's thread only
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Entry> waiting_;
  bool is_urgent_ = false;  // a caller waits until waiting_ is committed
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace personascope::store
