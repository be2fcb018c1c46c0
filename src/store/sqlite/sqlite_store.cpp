#include "store/sqlite/sqlite_store.hpp"

#include <utility>

#include "store/sqlite/attempt_table.hpp"
#include "store/sqlite/call_table.hpp"
#include "store/sqlite/commit_queue.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/run_lock.hpp"
#include "store/sqlite/run_table.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/store_file.hpp"
#include "store/sqlite/text_codec.hpp"
#include "store/sqlite/total_table.hpp"
#include "store/sqlite/unit_table.hpp"

namespace personascope::store {
namespace {

class SqliteStore final : public Store {
 public:
  // Without a queue, the store is for reading only.
  SqliteStore(std::string path, std::unique_ptr<CommitQueue> queue, Connection reading)
      : path_(std::move(path)), queue_(std::move(queue)), reading_(std::move(reading)) {}

  Result<std::optional<Result<core::Reply>>> find_answer(const Digest& key) override {
    return store::find_answer(reading_, reading_codec_, key);
  }

  Result<std::optional<Error>> find_last_attempt(const Digest& key) override {
    return store::find_last_attempt(reading_, key);
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

  Result<void> save_results(std::int64_t id, const Json& results) override {
    return write_and_wait(
        [&](Connection& connection) { return store::save_results(connection, id, results); });
  }

  Result<RunRecord> load_run(std::int64_t id) override { return store::load_run(reading_, id); }

  Result<std::vector<RunRecord>> load_runs(std::int64_t limit) override {
    return store::load_runs(reading_, limit);
  }

  Result<Spending> load_spending(std::int64_t run) override {
    return store::load_spending(reading_, run);
  }

  void record_unit(std::int64_t run, UnitRecord unit) override {
    write(
        [this, run, unit = std::move(unit)](Connection& connection) {
          return upsert_unit(connection, writing_codec_, run, unit);
        },
        {});
  }

  Result<std::vector<UnitRecord>> load_units(std::int64_t run, std::optional<core::Outcome> outcome,
                                             std::int64_t limit) override {
    return store::load_units(reading_, reading_codec_, run, outcome, limit);
  }

  Result<std::vector<StoredCall>> load_calls(const std::string& item, const std::string& role,
                                             std::int64_t limit) override {
    return store::load_calls(reading_, reading_codec_, item, role, limit);
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
  TextCodec reading_codec_;
  Connection reading_;
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
  return std::make_unique<SqliteStore>(std::move(file), std::move(queue), std::move(reading));
}

}  // namespace personascope::store
