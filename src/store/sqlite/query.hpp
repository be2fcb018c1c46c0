// One use of a prepared SQLite statement: bind, step through the rows, reset.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "base/result.hpp"

struct sqlite3_stmt;

namespace personascope::store {

// Bytes for a BLOB column; plain std::string_view goes to a TEXT column.
struct Blob {
  std::string_view bytes;
};

class Query {
 public:
  // Borrows the statement; its end resets it, and with that ends its read transaction.
  explicit Query(sqlite3_stmt* statement) : statement_(statement) {}
  ~Query();
  Query(Query&& other) noexcept
      : statement_(std::exchange(other.statement_, nullptr)), bind_code_(other.bind_code_) {}
  Query& operator=(Query&&) = delete;

  // Binds ?1, ?2, ... in order. Text and blobs are borrowed as long as the query lives. What cannot
  // be bound fails the next step.
  template <class... Values>
  Query& bind(const Values&... values) {
    int index = 0;
    (bind_at(++index, values), ...);
    return *this;
  }

  // Steps to the next row; false after the last one.
  Result<bool> next();
  // Carries out a statement to its end, for those that give no rows.
  Result<void> run();
  // Makes the statement ready to be bound and carried out again.
  void reset();

  // Columns of the present row, counted from 0. Views are good until the next step.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::optional<std::int64_t> find_integer(int column) const;
  double number(int column) const;
  std::string_view bytes(int column) const;

 private:
  void bind_at(int index, std::int64_t value);
  void bind_at(int index, double value);
  void bind_at(int index, std::string_view text);
  void bind_at(int index, Blob blob);
  void bind_null(int index);
  template <class Value>
  void bind_at(int index, const std::optional<Value>& value) {
    if (value) {
      bind_at(index, *value);
    } else {
      bind_null(index);
    }
  }
  void note(int code);

  sqlite3_stmt* statement_;
  int bind_code_ = 0;
};

}  // namespace personascope::store
