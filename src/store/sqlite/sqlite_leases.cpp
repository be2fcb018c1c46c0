#include "store/sqlite/sqlite_leases.hpp"

#include <mutex>
#include <type_traits>
#include <utility>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/run_table.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/store_file.hpp"

namespace personascope::store {
namespace {

// The present time in milliseconds since 1970, by the clock of SQLite's machine.
#define PERSONASCOPE_NOW "CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)"
#define PERSONASCOPE_LIVING "(SELECT name FROM worker WHERE ends_at > " PERSONASCOPE_NOW ")"

constexpr const char* kAddPieces = R"(
INSERT OR IGNORE INTO piece (run, piece)
WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?2)
SELECT ?1, n FROM number WHERE n < ?2)";

constexpr const char* kIsLiving =
    "SELECT 1 FROM worker WHERE name = ?1 AND ends_at > " PERSONASCOPE_NOW;
constexpr const char* kRenew =
    "INSERT INTO worker (name, ends_at) VALUES (?1, ?2 + " PERSONASCOPE_NOW
    ") ON CONFLICT (name) DO UPDATE SET ends_at = excluded.ends_at";

constexpr const char* kFindFree =
    "SELECT piece, epoch FROM piece WHERE run = ?1 AND is_done = 0 "
    "AND (worker IS NULL OR worker NOT IN " PERSONASCOPE_LIVING ") ORDER BY piece LIMIT ?2";
constexpr const char* kTake =
    "UPDATE piece SET worker = ?3, epoch = epoch + 1 WHERE run = ?1 AND piece = ?2";
constexpr const char* kComplete =
    "UPDATE piece SET is_done = 1 WHERE run = ?1 AND piece = ?2 AND epoch = ?3";
constexpr const char* kGiveBack =
    "UPDATE piece SET worker = NULL WHERE is_done = 0 AND worker = ?1";
constexpr const char* kForgetWorker = "DELETE FROM worker WHERE name = ?1";

constexpr const char* kCountPieces =
    "SELECT count(*), ifnull(sum(is_done), 0), "
    "ifnull(sum(is_done = 0 AND worker IN " PERSONASCOPE_LIVING "), 0) FROM piece WHERE run = ?1";
#undef PERSONASCOPE_LIVING
#undef PERSONASCOPE_NOW

Result<void> renew_worker(Connection& connection, const std::string& worker,
                          std::chrono::milliseconds ends) {
  ASSIGN_OR_RETURN(Query renew, connection.query(kRenew));
  return renew.bind(worker, std::int64_t{ends.count()}).run();
}

Result<std::vector<Lease>> find_free(Connection& connection, std::int64_t run, std::int64_t most) {
  ASSIGN_OR_RETURN(Query row, connection.query(kFindFree));
  row.bind(run, most < 0 ? std::int64_t{0} : most);
  std::vector<Lease> found;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return found;
    found.push_back({run, row.integer(0), row.integer(1) + 1});
  }
}

Result<std::vector<Lease>> claim_pieces(Connection& connection, const std::string& worker,
                                        std::int64_t run, std::int64_t most,
                                        std::chrono::milliseconds ends) {
  RETURN_IF_ERROR(check_run(connection, run));
  // First, or the worker's own pieces would be free to it once its lease has ended.
  RETURN_IF_ERROR(renew_worker(connection, worker, ends));
  ASSIGN_OR_RETURN(auto leases, find_free(connection, run, most));
  ASSIGN_OR_RETURN(Query take, connection.query(kTake));
  for (const Lease& lease : leases) {
    RETURN_IF_ERROR(take.bind(run, lease.piece, worker).run());
    take.reset();
  }
  return leases;
}

Result<bool> is_living(Connection& connection, const std::string& worker) {
  ASSIGN_OR_RETURN(Query row, connection.query(kIsLiving));
  return row.bind(worker).next();
}

Result<PieceCounts> count_in_table(Connection& connection, std::int64_t run) {
  RETURN_IF_ERROR(check_run(connection, run));
  ASSIGN_OR_RETURN(Query row, connection.query(kCountPieces));
  RETURN_IF_ERROR(row.bind(run).next());
  return PieceCounts{row.integer(0) - row.integer(1) - row.integer(2), row.integer(2),
                     row.integer(1)};
}

class SqliteLeases final : public Leases {
 public:
  explicit SqliteLeases(Connection connection) : connection_(std::move(connection)) {}

  Result<void> add_pieces(std::int64_t run, std::int64_t count) override {
    return write([&](Connection& connection) -> Result<void> {
      RETURN_IF_ERROR(check_run(connection, run));
      ASSIGN_OR_RETURN(Query add, connection.query(kAddPieces));
      return add.bind(run, count).run();
    });
  }

  Result<std::vector<Lease>> claim(const std::string& worker, std::int64_t run, std::int64_t most,
                                   std::chrono::milliseconds ends) override {
    return write(
        [&](Connection& connection) { return claim_pieces(connection, worker, run, most, ends); });
  }

  Result<bool> renew(const std::string& worker, std::chrono::milliseconds ends) override {
    return write([&](Connection& connection) -> Result<bool> {
      ASSIGN_OR_RETURN(const bool was_living, is_living(connection, worker));
      RETURN_IF_ERROR(renew_worker(connection, worker, ends));
      return was_living;
    });
  }

  Result<Completion> complete(const Lease& lease) override {
    return write([&](Connection& connection) -> Result<Completion> {
      ASSIGN_OR_RETURN(Query complete, connection.query(kComplete));
      RETURN_IF_ERROR(complete.bind(lease.run, lease.piece, lease.epoch).run());
      return connection.changes() > 0 ? Completion::Done : Completion::LeaseLost;
    });
  }

  Result<void> release(const std::string& worker) override {
    return write([&](Connection& connection) -> Result<void> {
      for (const char* statement : {kGiveBack, kForgetWorker}) {
        ASSIGN_OR_RETURN(Query query, connection.query(statement));
        RETURN_IF_ERROR(query.bind(worker).run());
      }
      return {};
    });
  }

  Result<PieceCounts> count_pieces(std::int64_t run) override {
    const std::lock_guard lock(mutex_);
    return count_in_table(connection_, run);
  }

 private:
  // Carries out `body` in a transaction and returns what it gave, once that is committed.
  template <class Body>
  auto write(const Body& body) -> std::invoke_result_t<Body, Connection&> {
    const std::lock_guard lock(mutex_);
    if (auto begun = connection_.execute("BEGIN IMMEDIATE"); !begun)
      return std::unexpected(std::move(begun).error());
    auto answer = body(connection_);
    if (answer) {
      if (auto committed = connection_.execute("COMMIT"); !committed)
        answer = std::unexpected(std::move(committed).error());
    }
    // If this fails too, the next BEGIN says so.
    if (!answer && connection_.in_transaction()) static_cast<void>(connection_.execute("ROLLBACK"));
    return answer;
  }

  std::mutex mutex_;
  Connection connection_;
};

}  // namespace

Result<std::unique_ptr<Leases>> open_sqlite_leases(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string file, prepare_store_file(path, IfMissing::Fail));
  ASSIGN_OR_RETURN(Connection connection, Connection::open(file, Access::ReadWrite));
  RETURN_IF_ERROR(migrate(connection, file));
  return std::make_unique<SqliteLeases>(std::move(connection));
}

}  // namespace personascope::store
