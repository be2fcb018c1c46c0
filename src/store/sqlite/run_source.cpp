#include "store/sqlite/run_source.hpp"

#include <deque>
#include <utility>

#include "store/sqlite/attempt_table.hpp"
#include "store/sqlite/call_table.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/item_table.hpp"
#include "store/sqlite/run_table.hpp"

namespace personascope::store {
namespace {

constexpr const char* kListCalls = R"(
SELECT id FROM call WHERE run = ?1
UNION SELECT call.id FROM item JOIN item_call ON item_call.item = item.id
                JOIN call ON call.id = item_call.call WHERE item.run = ?1
ORDER BY 1)";

constexpr const char* kListPositions = "SELECT position FROM item WHERE run = ?1 ORDER BY position";

class SqliteRunSource final : public RunSource {
 public:
  explicit SqliteRunSource(Connection connection) : connection_(std::move(connection)) {}

  Result<void> open(std::int64_t run) {
    RETURN_IF_ERROR(connection_.execute("BEGIN"));
    ASSIGN_OR_RETURN(run_, load_run(connection_, run));
    return {};
  }

  const RunRecord& run() const override { return run_; }

  Result<std::optional<SourceCall>> next_call() override {
    if (earlier_.empty()) {
      if (!calls_) RETURN_IF_ERROR(begin(calls_, kListCalls));
      ASSIGN_OR_RETURN(const bool has_row, calls_->next());
      if (!has_row) return std::nullopt;
      ASSIGN_OR_RETURN(SourceCall call,
                       load_call(connection_, codec_, calls_->integer(0), run_.id));
      RETURN_IF_ERROR(add_earlier_rounds(call));
      earlier_.push_back(std::move(call));
    }
    SourceCall call = std::move(earlier_.front());
    earlier_.pop_front();
    return call;
  }

  Result<std::optional<AttemptRecord>> next_attempt() override {
    if (!attempts_) {
      ASSIGN_OR_RETURN(Query rows, query_attempts(connection_, run_.id));
      attempts_.emplace(std::move(rows));
    }
    ASSIGN_OR_RETURN(const bool has_row, attempts_->next());
    if (!has_row) return std::nullopt;
    return read_attempt(*attempts_);
  }

  Result<std::optional<SourceItem>> next_item() override {
    if (!items_) RETURN_IF_ERROR(begin(items_, kListPositions));
    ASSIGN_OR_RETURN(const bool has_row, items_->next());
    if (!has_row) return std::nullopt;
    ASSIGN_OR_RETURN(SourceItem item,
                     load_source_item(connection_, codec_, run_.id, items_->integer(0)));
    return item;
  }

 private:
  Result<void> begin(std::optional<Query>& rows, const char* statement) {
    ASSIGN_OR_RETURN(Query query, connection_.query(statement));
    rows.emplace(std::move(query));
    rows->bind(run_.id);
    return {};
  }

  // An answer that replaced a failed one is found by way of it (AskChain::find_newest), so the
  // failed ones go along.
  Result<void> add_earlier_rounds(const SourceCall& call) {
    auto replicate = parse_json(call.call.replicate);
    if (!replicate) return {};
    const std::int64_t rounds = find_integer(*replicate, "round").value_or(0);
    for (std::int64_t round = 0; round < rounds; ++round) {
      replicate->erase("round");
      if (round > 0) (*replicate)["round"] = round;
      const Digest key =
          make_call_key(call.call.endpoint, call.call.request, render_json(*replicate));
      ASSIGN_OR_RETURN(auto found, find_call(connection_, codec_, key, run_.id));
      if (found) earlier_.push_back(std::move(*found));
    }
    return {};
  }

  Connection connection_;
  TextCodec codec_;
  RunRecord run_;
  // Below the connection: they end before it.
  std::optional<Query> calls_;
  std::optional<Query> attempts_;
  std::optional<Query> items_;
  std::deque<SourceCall> earlier_;  // read and not yet given
};

}  // namespace

Result<std::unique_ptr<RunSource>> open_sqlite_run(const std::string& file, std::int64_t run) {
  ASSIGN_OR_RETURN(Connection connection, Connection::open(file, Access::ReadOnly));
  auto source = std::make_unique<SqliteRunSource>(std::move(connection));
  RETURN_IF_ERROR(source->open(run));
  return source;
}

}  // namespace personascope::store
