// A connection to an SQLite file: closed by its owner, statements prepared once, errors as values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.hpp"
#include "store/sqlite/query.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace personascope::store {

enum class Access { ReadOnly, ReadWrite };

// Used by one thread at a time.
class Connection {
 public:
  // Opens a file that exists.
  static Result<Connection> open(const std::string& path, Access access);

  // Carries out one or more statements that give no rows.
  Result<void> execute(const char* sql);
  // The statement, prepared at its first use and kept under the address of `sql`: pass a constant.
  // Only one query of a statement may live at a time.
  Result<Query> query(const char* sql);
  // The one text that the statement gives, e.g. a pragma's value.
  Result<std::string> load_text(const char* sql);

  // Keeps `pages` at the number of pages in the log after each commit of this connection, which
  // folds nothing back by itself any more. `pages` outlives the last commit.
  void count_log_pages(int& pages);

  std::int64_t last_row_id() const;
  // Rows changed by the last statement.
  std::int64_t changes() const;
  bool in_transaction() const;
  // Whether the file may not be written, which SQLite accepts in silence when it opens one.
  bool is_read_only() const;
  // Whether the file has been deleted, moved or replaced since it was opened.
  bool has_moved() const;
  // Whether the last call failed because another connection held a lock.
  bool is_busy() const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  explicit Connection(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<sqlite3, Close> connection_;
  std::unordered_map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> statements_;
};

}  // namespace personascope::store
