#include "store/sqlite/schema.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <thread>

#include "base/clock.hpp"
#include "store/sqlite/old_units.hpp"

namespace personascope::store {
namespace {

constexpr std::int64_t kApplicationId = 0x50534350;  // "PSCP"

// `call` has the long texts last, so that reading an answer does not walk over the request. Its two
// indexes are all that it can bear: an insert is the hot path. `total` is kept up with every write,
// so that what a run has spent and reached is read from one row and never counted.
constexpr const char* kVersion1 = R"(
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  command TEXT NOT NULL,
  plan TEXT NOT NULL,
  state TEXT NOT NULL,
  note TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT NOT NULL,
  units INTEGER NOT NULL
) STRICT;

CREATE TABLE total (
  run INTEGER PRIMARY KEY,
  calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL NOT NULL DEFAULT 0,
  unpriced_calls INTEGER NOT NULL DEFAULT 0,
  ok INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE unit (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  position INTEGER NOT NULL,
  item TEXT NOT NULL,
  outcome TEXT NOT NULL,
  detail BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX unit_by_position ON unit(run, position);

CREATE TABLE call (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL,
  run INTEGER NOT NULL,
  item TEXT NOT NULL,
  role TEXT NOT NULL,
  cost_usd REAL,
  latency_us INTEGER NOT NULL,
  error_kind TEXT,
  model TEXT,
  finish TEXT,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cached_input_tokens INTEGER,
  answer BLOB NOT NULL,
  logprobs BLOB,
  replicate TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  request BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX call_by_key ON call(key);
CREATE INDEX call_by_item ON call(item, role);

CREATE TABLE attempt (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL,
  run INTEGER NOT NULL,
  item TEXT NOT NULL,
  error_kind TEXT NOT NULL,
  error_message TEXT NOT NULL,
  latency_us INTEGER NOT NULL
) STRICT;
CREATE INDEX attempt_by_key ON attempt(key);
)";

// What limits count, which may be more than is known to be spent.
constexpr const char* kVersion2 = R"(
ALTER TABLE total ADD COLUMN most_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE total ADD COLUMN most_cost_usd REAL NOT NULL DEFAULT 0;
UPDATE total SET most_tokens = input_tokens + output_tokens, most_cost_usd = cost_usd;
)";

// How likely a request's labels are.
constexpr const char* kVersion3 = "ALTER TABLE call ADD COLUMN choices BLOB";

// What the run found, as its command renders it; empty until it is done.
constexpr const char* kVersion4 = "ALTER TABLE run ADD COLUMN results TEXT NOT NULL DEFAULT ''";

// Items are stored whole: columns to filter, sort and page by, a document, and the calls that each
// was made from. Documents are a table of their own, so that going through many items does not read
// them. What lists of runs show has columns of its own, since plans and results may be large.
constexpr const char* kVersion5 = R"(
CREATE TABLE item (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  position INTEGER NOT NULL,
  item TEXT NOT NULL,
  cluster TEXT NOT NULL,
  label TEXT NOT NULL,
  outcome TEXT NOT NULL,
  score REAL,
  scores TEXT NOT NULL,
  judges TEXT NOT NULL,
  error_kind TEXT,
  reason TEXT
) STRICT;
CREATE UNIQUE INDEX item_by_position ON item(run, position);
CREATE INDEX item_by_id ON item(run, item);

CREATE TABLE document (
  item INTEGER PRIMARY KEY,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE item_call (
  item INTEGER NOT NULL,
  place INTEGER NOT NULL,
  call INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  PRIMARY KEY (item, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (
  run INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE deleted_run (id INTEGER PRIMARY KEY) STRICT;

ALTER TABLE call ADD COLUMN checksum INTEGER;

ALTER TABLE run ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN judge TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN headline TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN heartbeat INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN has_links INTEGER NOT NULL DEFAULT 0;

ALTER TABLE total ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE total ADD COLUMN scored INTEGER NOT NULL DEFAULT 0;
ALTER TABLE total ADD COLUMN abstained INTEGER NOT NULL DEFAULT 0;
ALTER TABLE total ADD COLUMN empty INTEGER NOT NULL DEFAULT 0;
ALTER TABLE total DROP COLUMN ok;
)";

// Leases. A worker's pieces are free again when the worker's lease has ended, so that renewing is
// one row.
constexpr const char* kVersion6 = R"(
CREATE TABLE piece (
  run INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  worker TEXT,
  is_done INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, piece)
) STRICT, WITHOUT ROWID;
CREATE INDEX piece_open ON piece(run, piece) WHERE is_done = 0;

CREATE TABLE worker (
  name TEXT PRIMARY KEY,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)";

// What a reasoning model wrote before its answer.
constexpr const char* kVersion7 = R"(
ALTER TABLE call ADD COLUMN thinking BLOB;
ALTER TABLE call ADD COLUMN thinking_tokens INTEGER;
)";

// Row n leads from version n to version n + 1.
constexpr std::array kMigrations{kVersion1, kVersion2, kVersion3, kVersion4,
                                 kVersion5, kVersion6, kVersion7};
constexpr std::int64_t kPresentVersion = std::ssize(kMigrations);

struct Identity {
  std::int64_t application = 0;
  std::int64_t version = 0;
  bool is_empty = false;
};

// In one statement, so that another process making the store is seen before or after, not halfway.
constexpr const char* kLoadIdentity = R"(
SELECT (SELECT count(*) FROM sqlite_schema), application_id, user_version
FROM pragma_application_id, pragma_user_version)";

Result<Identity> load_identity(Connection& connection) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadIdentity));
  RETURN_IF_ERROR(row.next());
  Identity identity{row.integer(1), row.integer(2), false};
  identity.is_empty = row.integer(0) == 0 && identity.application == 0 && identity.version == 0;
  return identity;
}

Result<void> check_origin(const Identity& identity, const std::string& path) {
  if (identity.application != kApplicationId)
    return fail(ErrorKind::Storage, "{} is a database of another program: name another file", path);
  if (identity.version > kPresentVersion)
    return fail(ErrorKind::Storage,
                "{} was written by a newer version of this program (format {}; this one knows {}): "
                "update the program",
                path, identity.version, kPresentVersion);
  return {};
}

// Two processes that switch a new file at once meet a lock that SQLite does not wait for.
Result<std::string> switch_to_wal(Connection& connection) {
  const TimePoint deadline = SteadyClock::now() + seconds(10);
  for (;;) {
    auto mode = connection.load_text("PRAGMA journal_mode = WAL");
    if (mode || !connection.is_busy() || SteadyClock::now() > deadline) return mode;
    std::this_thread::sleep_for(milliseconds(2));
  }
}

Result<void> apply_migrations(Connection& connection, std::int64_t version,
                              std::int64_t last = kPresentVersion) {
  for (; version < last; ++version) {
    RETURN_IF_ERROR(connection.execute(kMigrations[static_cast<std::size_t>(version)]));
    if (version == 4) RETURN_IF_ERROR(turn_units_into_items(connection));
  }
  const std::string stamp =
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, last);
  return connection.execute(stamp.c_str());
}

// A copy of the store as it was, beside it.
Result<void> keep_copy(Connection& connection, const std::string& path, std::int64_t version) {
  const std::string copy = fmt::format("{}.v{}", path, version);
  if (std::filesystem::exists(copy)) return {};  // another process makes it, or has
  ASSIGN_OR_RETURN(Query query, connection.query("VACUUM INTO ?1"));
  return query.bind(copy).run();
}

Result<void> bring_up_to_date(Connection& connection, const std::string& path) {
  RETURN_IF_ERROR(connection.execute("BEGIN IMMEDIATE"));
  // Read again under the lock: another process may have done the work meanwhile.
  ASSIGN_OR_RETURN(const Identity identity, load_identity(connection));
  if (!identity.is_empty) RETURN_IF_ERROR(check_origin(identity, path));
  RETURN_IF_ERROR(apply_migrations(connection, identity.version));
  return connection.execute("COMMIT");
}

}  // namespace

Result<void> migrate(Connection& connection, const std::string& path) {
  ASSIGN_OR_RETURN(const Identity identity, load_identity(connection));
  if (!identity.is_empty) RETURN_IF_ERROR(check_origin(identity, path));
  if (connection.is_read_only())
    return fail(ErrorKind::Storage, "{} cannot be written: make the file and its folder writable",
                path);
  // Measured with calls of 3 kB: a fifth less time than pages of 4 kB. Only a new file heeds it.
  RETURN_IF_ERROR(connection.execute("PRAGMA page_size = 8192"));
  ASSIGN_OR_RETURN(const std::string journal, switch_to_wal(connection));
  if (journal != "wal")
    return fail(ErrorKind::Storage,
                "{} is on a file system without shared memory: move the store to a local disk",
                path);
  // NORMAL: what is committed survives a kill -9. Only FULL also survives a power cut, at the price
  // of one wait for the disk a commit; here a power cut may lose the last commits, never the store.
  // The system caches the file as well, so a large cache of our own gains nothing.
  RETURN_IF_ERROR(connection.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096"));
  if (identity.version == kPresentVersion) return {};
  if (!identity.is_empty) RETURN_IF_ERROR(keep_copy(connection, path, identity.version));
  return bring_up_to_date(connection, path);
}

Result<void> create_version(Connection& connection, std::int64_t version) {
  return apply_migrations(connection, 0, version);
}

Result<void> check_version(Connection& connection, const std::string& path) {
  ASSIGN_OR_RETURN(const Identity identity, load_identity(connection));
  if (identity.is_empty)
    return fail(ErrorKind::Storage, "{} is empty: start a run in it, or name another file", path);
  RETURN_IF_ERROR(check_origin(identity, path));
  if (identity.version < kPresentVersion)
    return fail(ErrorKind::Storage,
                "{} was written by an older version of this program: open it once for writing, "
                "which converts it",
                path);
  return {};
}

}  // namespace personascope::store
