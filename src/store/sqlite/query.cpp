#include "store/sqlite/query.hpp"

#include <sqlite3.h>

#include "store/sqlite/sqlite_error.hpp"

namespace personascope::store {
namespace {

// SQLite reads a null pointer as NULL, which is not what an empty text means.
const char* data_of(std::string_view bytes) {
  return bytes.data() ? bytes.data() : "";
}

}  // namespace

Query::~Query() {
  if (statement_) sqlite3_reset(statement_);
}

Result<bool> Query::next() {
  const int code = bind_code_ == SQLITE_OK ? sqlite3_step(statement_) : bind_code_;
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return std::unexpected(make_sqlite_error(sqlite3_db_handle(statement_), code));
}

Result<void> Query::run() {
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, next());
    if (!has_row) return {};
  }
}

void Query::reset() {
  sqlite3_reset(statement_);
  bind_code_ = SQLITE_OK;
}

bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Query::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::optional<std::int64_t> Query::find_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

double Query::number(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string_view Query::bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return data ? std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size))
              : std::string_view();
}

void Query::bind_at(int index, std::int64_t value) {
  note(sqlite3_bind_int64(statement_, index, value));
}

void Query::bind_at(int index, double value) {
  note(sqlite3_bind_double(statement_, index, value));
}

void Query::bind_at(int index, std::string_view text) {
  note(sqlite3_bind_text64(statement_, index, data_of(text), text.size(), SQLITE_STATIC,
                           SQLITE_UTF8));
}

void Query::bind_at(int index, Blob blob) {
  note(sqlite3_bind_blob64(statement_, index, data_of(blob.bytes), blob.bytes.size(),
                           SQLITE_STATIC));
}

void Query::bind_null(int index) {
  note(sqlite3_bind_null(statement_, index));
}

void Query::note(int code) {
  if (bind_code_ == SQLITE_OK) bind_code_ = code;
}

}  // namespace personascope::store
