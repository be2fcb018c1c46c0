#include "store/sqlite/attempt_table.hpp"

#include <algorithm>

namespace personascope::store {
namespace {

constexpr const char* kInsertAttempt = R"(
INSERT INTO attempt (key, run, item, error_kind, error_message, latency_us)
VALUES (?1, ?2, ?3, ?4, ?5, ?6))";

constexpr const char* kFindLast =
    "SELECT error_kind, error_message FROM attempt WHERE key = ?1 ORDER BY id DESC LIMIT 1";

constexpr const char* kLoadOfRun = R"(
SELECT key, item, error_kind, error_message, latency_us FROM attempt WHERE run = ?1 ORDER BY id)";

}  // namespace

Result<void> insert_attempt(Connection& connection, const AttemptRecord& record) {
  ASSIGN_OR_RETURN(Query insert, connection.query(kInsertAttempt));
  insert.bind(Blob{bytes_of(record.key)}, record.run, record.item, name_of(record.error.kind),
              record.error.message, record.latency_us);
  return insert.run();
}

Result<std::optional<Error>> find_last_attempt(Connection& connection, const Digest& key) {
  ASSIGN_OR_RETURN(Query row, connection.query(kFindLast));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(Blob{bytes_of(key)}).next());
  if (!is_found) return std::nullopt;
  return Error{error_kind_named(row.bytes(0)), std::string(row.bytes(1))};
}

Result<Query> query_attempts(Connection& connection, std::int64_t run) {
  ASSIGN_OR_RETURN(Query rows, connection.query(kLoadOfRun));
  rows.bind(run);
  return rows;
}

AttemptRecord read_attempt(const Query& row) {
  AttemptRecord record;
  if (row.bytes(0).size() == record.key.size()) std::ranges::copy(row.bytes(0), record.key.begin());
  record.item = row.bytes(1);
  record.error = {error_kind_named(row.bytes(2)), std::string(row.bytes(3))};
  record.latency_us = row.integer(4);
  return record;
}

}  // namespace personascope::store
