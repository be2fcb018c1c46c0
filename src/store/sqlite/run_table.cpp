#include "store/sqlite/run_table.hpp"

#include <limits>
#include <string_view>
#include <utility>

namespace personascope::store {
namespace {

constexpr const char* kInsertRun = R"(
INSERT INTO run (uid, command, plan, state, note, started_at, finished_at, units)
VALUES (?1, ?2, ?3, ?4, '', ?5, '', ?6))";

constexpr const char* kUpdateRun =
    "UPDATE run SET state = ?2, note = ?3, finished_at = ?4 WHERE id = ?1";

constexpr const char* kSaveResults = "UPDATE run SET results = ?2 WHERE id = ?1";

constexpr const char* kLoadRuns = R"(
SELECT id, uid, command, plan, state, note, started_at, finished_at, units,
       ifnull(ok, 0), ifnull(refused, 0), ifnull(failed, 0), results
FROM run LEFT JOIN total ON total.run = run.id
WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT ?3)";

RunState run_state_named(std::string_view name) {
  using enum RunState;
  for (const RunState state : {Running, Done, Stopped})
    if (name_of(state) == name) return state;
  return Failed;
}

Result<RunRecord> read_run(const Query& row) {
  RunRecord run;
  run.id = row.integer(0);
  run.uid = row.bytes(1);
  run.command = row.bytes(2);
  auto plan = parse_json(row.bytes(3));
  if (!plan)
    return fail(ErrorKind::Storage, "the plan of run {} is damaged: restore the store from a copy",
                run.id);
  run.plan = std::move(*plan);
  run.state = run_state_named(row.bytes(4));
  run.note = row.bytes(5);
  run.started_at = row.bytes(6);
  run.finished_at = row.bytes(7);
  run.units = row.integer(8);
  run.outcomes = {row.integer(9), row.integer(10), row.integer(11)};
  if (const auto results = parse_json(row.bytes(12))) run.results = *results;
  return run;
}

// The runs with these ids, newest first.
Result<std::vector<RunRecord>> load_between(Connection& connection, std::int64_t first,
                                            std::int64_t last, std::int64_t limit) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadRuns));
  row.bind(first, last, limit);
  std::vector<RunRecord> runs;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return runs;
    ASSIGN_OR_RETURN(RunRecord run, read_run(row));
    runs.push_back(std::move(run));
  }
}

std::unexpected<Error> no_such_run(std::int64_t id) {
  return fail(ErrorKind::NotFound, "there is no run {} in the store", id);
}

}  // namespace

Result<std::int64_t> insert_run(Connection& connection, const RunRecord& run) {
  const std::string plan = render_json(run.plan);
  ASSIGN_OR_RETURN(Query insert, connection.query(kInsertRun));
  insert.bind(run.uid, run.command, plan, name_of(RunState::Running), run.started_at, run.units);
  RETURN_IF_ERROR(insert.run());
  return connection.last_row_id();
}

Result<void> update_run(Connection& connection, std::int64_t id, RunState state,
                        const std::string& note, const std::string& finished_at) {
  ASSIGN_OR_RETURN(Query update, connection.query(kUpdateRun));
  RETURN_IF_ERROR(update.bind(id, name_of(state), note, finished_at).run());
  if (connection.changes() == 0) return no_such_run(id);
  return {};
}

Result<void> save_results(Connection& connection, std::int64_t id, const Json& results) {
  const std::string text = render_json(results);
  ASSIGN_OR_RETURN(Query update, connection.query(kSaveResults));
  RETURN_IF_ERROR(update.bind(id, text).run());
  if (connection.changes() == 0) return no_such_run(id);
  return {};
}

Result<RunRecord> load_run(Connection& connection, std::int64_t id) {
  ASSIGN_OR_RETURN(auto runs, load_between(connection, id, id, 1));
  if (runs.empty()) return no_such_run(id);
  return std::move(runs.front());
}

Result<std::vector<RunRecord>> load_runs(Connection& connection, std::int64_t limit) {
  return load_between(connection, 1, std::numeric_limits<std::int64_t>::max(), limit);
}

}  // namespace personascope::store
