// Copies SQLite's log back into the file, in parallel with commits.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

// SQLite would do it within a commit, and all callers of that commit would wait for the disk as
// well: 30 to 100 ms at a time. Here a separate thread copies while commits continue; the
// committing thread copies only the rest, after which the log starts from the beginning.
class Checkpointer {
 public:
  // Both connections are to the same file; `writing` belongs to the thread that commits.
  Checkpointer(Connection copying, Connection& writing);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  // By the thread that commits, after each commit.
  void on_commit();

 private:
  enum class State { Idle, Asked, Copied, Closing };
  void work();

  Connection copying_;  // used by thread_ only
  Connection& writing_;
  int pages_ = 0;    // in the log, after the last commit
  int next_at_ = 0;  // so many pages are worth the next copying
  std::mutex mutex_;
  std::condition_variable wake_;
  State state_ = State::Idle;
  std::thread thread_;
};

}  // namespace personascope::store
