#include "store/sqlite/store_care.hpp"

#include <filesystem>

#include "store/sqlite/call_table.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/store_file.hpp"

namespace personascope::store {
namespace {

std::int64_t size_of(const std::string& path) {
  std::error_code ignored;
  const auto size = std::filesystem::file_size(path, ignored);
  return ignored ? 0 : static_cast<std::int64_t>(size);
}

}  // namespace

Result<StoreCheck> check_sqlite_store(const std::string& path,
                                      const std::function<void(std::int64_t)>& on_answers) {
  constexpr std::size_t kFaultsKept = 20;
  ASSIGN_OR_RETURN(const std::string file, prepare_store_file(path, IfMissing::Fail));
  ASSIGN_OR_RETURN(Connection connection, Connection::open(file, Access::ReadOnly));
  RETURN_IF_ERROR(check_version(connection, file));
  StoreCheck check;
  {
    ASSIGN_OR_RETURN(Query row, connection.query("PRAGMA integrity_check(20)"));
    for (;;) {
      const auto has_row = row.next();
      if (!has_row) check.faults.push_back(has_row.error().message);
      if (!has_row || !*has_row) break;
      if (row.bytes(0) != "ok" && check.faults.size() < kFaultsKept)
        check.faults.emplace_back(row.bytes(0));
    }
  }
  TextCodec codec;
  const auto calls = check_calls(connection, codec, on_answers);
  if (!calls) {
    check.faults.push_back(calls.error().message);
    return check;
  }
  check.answers = calls->calls;
  check.without_checksum = calls->without_checksum;
  check.damaged_items = calls->damaged_items;
  return check;
}

Result<Compaction> compact_sqlite_store(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string file, prepare_store_file(path, IfMissing::Fail));
  Compaction compaction;
  compaction.before = size_of(file) + size_of(file + "-wal");
  {
    ASSIGN_OR_RETURN(Connection connection, Connection::open(file, Access::ReadWrite));
    RETURN_IF_ERROR(migrate(connection, file));
    RETURN_IF_ERROR(connection.execute("VACUUM"));
    RETURN_IF_ERROR(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
  compaction.after = size_of(file) + size_of(file + "-wal");
  return compaction;
}

}  // namespace personascope::store
