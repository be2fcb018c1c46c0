#include "store/sqlite/sqlite_reader.hpp"

#include <mutex>
#include <utility>

#include "store/sqlite/call_table.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/item_table.hpp"
#include "store/sqlite/run_table.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/store_file.hpp"
#include "store/sqlite/text_codec.hpp"
#include "store/sqlite/total_table.hpp"

namespace personascope::store {
namespace {

class SqliteReader final : public Reader {
 public:
  explicit SqliteReader(Connection connection) : connection_(std::move(connection)) {}

  Result<RunRecord> load_run(std::int64_t id) override {
    const std::lock_guard lock(mutex_);
    return store::load_run(connection_, id);
  }

  Result<std::vector<RunEntry>> load_runs(const RunFilter& filter) override {
    const std::lock_guard lock(mutex_);
    return store::load_runs(connection_, filter);
  }

  Result<Spending> load_spending(std::int64_t run) override {
    const std::lock_guard lock(mutex_);
    return store::load_spending(connection_, run);
  }

  Result<std::vector<core::ItemRecord>> load_items(std::int64_t run,
                                                   const ItemFilter& filter) override {
    const std::lock_guard lock(mutex_);
    return store::load_items(connection_, codec_, run, filter);
  }

  Result<std::int64_t> count_items(std::int64_t run, const ItemFilter& filter) override {
    const std::lock_guard lock(mutex_);
    return store::count_items(connection_, codec_, run, filter);
  }

  Result<std::int64_t> find_position(std::int64_t run, const std::string& id) override {
    const std::lock_guard lock(mutex_);
    return store::find_position(connection_, run, id);
  }

  Result<ItemDetails> load_item(std::int64_t run, std::int64_t position) override {
    const std::lock_guard lock(mutex_);
    return store::load_item(connection_, codec_, run, position);
  }

  Result<std::vector<StoredCall>> load_calls(const std::string& item, const std::string& role,
                                             std::int64_t limit) override {
    const std::lock_guard lock(mutex_);
    return store::load_calls(connection_, codec_, item, role, limit);
  }

  Result<Removal> load_removal(std::int64_t run) override {
    const std::lock_guard lock(mutex_);
    return store::load_removal(connection_, run);
  }

  Result<bool> has_answer(const Digest& key) override {
    const std::lock_guard lock(mutex_);
    ASSIGN_OR_RETURN(const auto found, store::find_answer(connection_, codec_, key));
    return found && !found->is_damaged;
  }

 private:
  std::mutex mutex_;
  TextCodec codec_;
  Connection connection_;
};

}  // namespace

Result<std::unique_ptr<Reader>> open_sqlite_reader(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string file, prepare_store_file(path, IfMissing::Fail));
  ASSIGN_OR_RETURN(Connection connection, Connection::open(file, Access::ReadOnly));
  RETURN_IF_ERROR(check_version(connection, file));
  return std::make_unique<SqliteReader>(std::move(connection));
}

}  // namespace personascope::store
