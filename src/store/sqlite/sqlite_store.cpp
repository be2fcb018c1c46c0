#include "store/sqlite/sqlite_store.hpp"

#include <mutex>
#include <utility>

#include "store/sqlite/attempt_table.hpp"
#include "store/sqlite/call_table.hpp"
#include "store/sqlite/commit_queue.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/item_table.hpp"
#include "store/sqlite/run_lock.hpp"
#include "store/sqlite/run_table.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/store_file.hpp"
#include "store/sqlite/text_codec.hpp"
#include "store/sqlite/total_table.hpp"

namespace personascope::store {
namespace {

class SqliteStore final : public Store {
 public:
  // Without a queue, the store is for reading only.
  SqliteStore(std::string path, std::unique_ptr<CommitQueue> queue, Connection reading,
              std::unique_ptr<Reader> reader)
      : path_(std::move(path)),
        queue_(std::move(queue)),
        reading_(std::move(reading)),
        reader_(std::move(reader)) {}

  Reader& reader() override { return *reader_; }

  // Reading takes some µs, less than handing it to another thread.
  Task<Result<std::optional<Result<core::Reply>>>> find_answer(Digest key) override {
    co_return look_up(key);
  }

  Task<Result<std::optional<Error>>> find_last_attempt(Digest key) override {
    const std::lock_guard lock(reading_mutex_);
    co_return store::find_last_attempt(reading_, key);
  }

  Result<std::optional<Result<core::Reply>>> look_up(const Digest& key) {
    auto read = [&] {
      const std::lock_guard lock(reading_mutex_);
      return store::find_answer(reading_, reading_codec_, key);
    }();
    ASSIGN_OR_RETURN(auto found, std::move(read));
    if (!found) return std::optional<Result<core::Reply>>{};
    if (!found->is_damaged) return std::optional(std::move(found->answer));
    // Before any answer that is appended from now on.
    write([key](Connection& connection) { return forget_answer(connection, key); }, {});
    return std::optional<Result<core::Reply>>{};
  }

  void append(CallRecord record, std::function<void(Result<Kept>)> committed) override {
    const auto kept = std::make_shared<Kept>();  // shared: the write learns it, the report tells it
    CommitQueue::Committed report;
    if (committed)
      report = [kept, committed = std::move(committed)](Result<void> written) {
        committed(written ? Result<Kept>(*kept) : std::unexpected(std::move(written).error()));
      };
    write(
        [this, kept, record = std::move(record)](Connection& connection) -> Result<void> {
          ASSIGN_OR_RETURN(*kept, insert_call(connection, writing_codec_, record));
          return add_spending(connection, record.run, spending_of(record));
        },
        std::move(report));
  }

  void append(AttemptRecord record) override {
    write(
        [record = std::move(record)](Connection& connection) -> Result<void> {
          RETURN_IF_ERROR(insert_attempt(connection, record));
          return add_spending(connection, record.run, spending_of(record));
        },
        {});
  }

  Result<std::int64_t> create_run(const RunRecord& run) override {
    std::int64_t id = 0;
    RETURN_IF_ERROR(write_and_wait([&](Connection& connection) -> Result<void> {
      ASSIGN_OR_RETURN(id, insert_run(connection, run));
      return {};
    }));
    return id;
  }

  Result<void> update_run(std::int64_t id, RunState state, const std::string& note,
                          const std::string& finished_at) override {
    return write_and_wait([&](Connection& connection) {
      return store::update_run(connection, id, state, note, finished_at);
    });
  }

  Result<void> save_results(std::int64_t id, const Json& results,
                            const std::optional<core::Metric>& headline) override {
    return write_and_wait([&](Connection& connection) {
      return store::save_results(connection, id, results, headline);
    });
  }

  void beat(std::int64_t id) override {
    write([id](Connection& connection) { return store::beat(connection, id); }, {});
  }

  Result<void> change_tags(std::int64_t id, const std::vector<std::string>& add,
                           const std::vector<std::string>& remove) override {
    return write_and_wait(
        [&](Connection& connection) { return store::change_tags(connection, id, add, remove); });
  }

  Result<Removal> delete_run(std::int64_t id) override {
    ASSIGN_OR_RETURN(const auto lock, lock_run(id));
    Removal removal;
    RETURN_IF_ERROR(write_and_wait([&](Connection& connection) -> Result<void> {
      ASSIGN_OR_RETURN(removal, store::delete_run(connection, id));
      return {};
    }));
    return removal;
  }

  void record_item(std::int64_t run, core::ItemRecord item,
                   std::vector<core::CallLink> calls) override {
    write(
        [this, run, item = std::move(item), calls = std::move(calls)](Connection& connection) {
          return upsert_item(connection, writing_codec_, run, item, calls);
        },
        {});
  }

  Result<void> flush() override {
    if (!queue_) return {};
    return queue_->flush();
  }

  Result<std::shared_ptr<void>> lock_run(std::int64_t id) override {
    if (!queue_) return read_only();
    return acquire_run_lock(path_, id);
  }

 private:
  void write(CommitQueue::Write write, CommitQueue::Committed committed) {
    if (queue_) {
      queue_->push(std::move(write), std::move(committed));
    } else if (committed) {
      committed(read_only());
    }
  }

  Result<void> write_and_wait(CommitQueue::Write write) {
    if (!queue_) return read_only();
    return queue_->push_and_wait(std::move(write));
  }

  std::unexpected<Error> read_only() const {
    return fail(ErrorKind::Invalid, "{} is open for reading only", path_);
  }

  std::string path_;
  TextCodec writing_codec_;  // used by the queue's thread only
  // Above the connection for reading, so that it closes last: only a connection that may write can
  // fold the log back into the file.
  std::unique_ptr<CommitQueue> queue_;
  std::mutex reading_mutex_;  // of the two below
  TextCodec reading_codec_;
  Connection reading_;
  std::unique_ptr<Reader> reader_;  // with a connection of its own
};

Result<std::unique_ptr<CommitQueue>> open_queue(const std::string& path,
                                                const SqliteOptions& options) {
  ASSIGN_OR_RETURN(Connection connection, Connection::open(path, Access::ReadWrite));
  RETURN_IF_ERROR(migrate(connection, path));
  if (options.max_pages > 0) {
    const std::string limit = fmt::format("PRAGMA max_page_count = {}", options.max_pages);
    RETURN_IF_ERROR(connection.execute(limit.c_str()));
  }
  ASSIGN_OR_RETURN(Connection copying, Connection::open(path, Access::ReadWrite));
  return std::make_unique<CommitQueue>(std::move(connection), std::move(copying));
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, OpenMode mode,
                                                 const SqliteOptions& options) {
  const auto if_missing = mode == OpenMode::Create ? IfMissing::Create : IfMissing::Fail;
  ASSIGN_OR_RETURN(std::string file, prepare_store_file(path, if_missing));
  std::unique_ptr<CommitQueue> queue;
  if (mode != OpenMode::ReadOnly) {
    ASSIGN_OR_RETURN(queue, open_queue(file, options));
  }
  ASSIGN_OR_RETURN(Connection reading, Connection::open(file, Access::ReadOnly));
  RETURN_IF_ERROR(check_version(reading, file));
  ASSIGN_OR_RETURN(auto reader, open_sqlite_reader(file));
  return std::make_unique<SqliteStore>(std::move(file), std::move(queue), std::move(reading),
                                       std::move(reader));
}

}  // namespace personascope::store
