#include "store/sqlite/connection.hpp"

#include <sqlite3.h>

#include <chrono>
#include <thread>

#include "store/sqlite/sqlite_error.hpp"

namespace personascope::store {
namespace {

constexpr int kBusyTries = 30'000;  // about 30 s, a millisecond each

// SQLite's own busy timeout backs off to 100 ms a sleep, so a process that commits without pause
// would starve the others; even steps give everyone a turn.
int wait_for_lock(void*, int tries) {
  if (tries >= kBusyTries) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return 1;
}

}  // namespace

void Connection::Close::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

void Connection::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Result<Connection> Connection::open(const std::string& path, Access access) {
  const int flags = access == Access::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Connection connection(handle);
  if (code != SQLITE_OK) return std::unexpected(make_open_error(path, handle, code));
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_handler(handle, wait_for_lock, nullptr);
  // A store may come from a stranger: its schema must not run functions of ours.
  RETURN_IF_ERROR(connection.execute("PRAGMA trusted_schema = OFF"));
  return connection;
}

Result<void> Connection::execute(const char* sql) {
  const int code = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(make_sqlite_error(connection_.get(), code));
  return {};
}

Result<Query> Connection::query(const char* sql) {
  auto& statement = statements_[sql];
  if (!statement) {
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v3(connection_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT,
                                        &prepared, nullptr);
    if (code != SQLITE_OK) return std::unexpected(make_sqlite_error(connection_.get(), code));
    statement.reset(prepared);
  }
  return Query(statement.get());
}

Result<std::string> Connection::load_text(const char* sql) {
  ASSIGN_OR_RETURN(Query row, query(sql));
  ASSIGN_OR_RETURN(const bool has_row, row.next());
  return has_row ? std::string(row.bytes(0)) : std::string();
}

void Connection::count_log_pages(int& pages) {
  const auto on_commit = [](void* place, sqlite3*, const char*, int count) {
    *static_cast<int*>(place) = count;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(connection_.get(), on_commit, &pages);
}

std::int64_t Connection::last_row_id() const {
  return sqlite3_last_insert_rowid(connection_.get());
}

std::int64_t Connection::changes() const {
  return sqlite3_changes64(connection_.get());
}

bool Connection::in_transaction() const {
  return !sqlite3_get_autocommit(connection_.get());
}

bool Connection::is_read_only() const {
  return sqlite3_db_readonly(connection_.get(), "main") != 0;
}

bool Connection::has_moved() const {
  int moved = 0;
  sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

bool Connection::is_busy() const {
  return (sqlite3_errcode(connection_.get()) & 0xff) == SQLITE_BUSY;
}

}  // namespace personascope::store
