#include "store/sqlite/run_table.hpp"

#include <chrono>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace personascope::store {
namespace {

constexpr const char* kInsertRun = R"(
INSERT INTO run (id, uid, command, plan, state, note, started_at, finished_at, units, model, judge,
                 heartbeat, has_links)
VALUES (1 + max((SELECT ifnull(max(id), 0) FROM run), (SELECT ifnull(max(id), 0) FROM deleted_run)),
        ?1, ?2, ?3, ?4, '', ?5, '', ?6, ?7, ?8, ?9, 1))";

constexpr const char* kUpdateRun =
    "UPDATE run SET state = ?2, note = ?3, finished_at = ?4, heartbeat = ?5 WHERE id = ?1";

constexpr const char* kSaveResults = "UPDATE run SET results = ?2, headline = ?3 WHERE id = ?1";

constexpr const char* kFindByUid = "SELECT id FROM run WHERE uid = ?1";

constexpr const char* kBeat = "UPDATE run SET heartbeat = ?2 WHERE id = ?1";

constexpr const char* kHasRun = "SELECT 1 FROM run WHERE id = ?1";
constexpr const char* kAddTag = "INSERT OR IGNORE INTO tag (run, name) VALUES (?1, ?2)";
constexpr const char* kRemoveTag = "DELETE FROM tag WHERE run = ?1 AND name = ?2";

#define PERSONASCOPE_RUN_COLUMNS                                                             \
  "SELECT id, uid, command, model, judge, state, note, started_at, finished_at, heartbeat, " \
  "units, headline, ifnull(answered, 0), ifnull(scored, 0), ifnull(abstained, 0), "          \
  "ifnull(refused, 0), ifnull(empty, 0), ifnull(failed, 0), ifnull(calls, 0), "              \
  "ifnull(input_tokens, 0), ifnull(output_tokens, 0), ifnull(cost_usd, 0), "                 \
  "ifnull(unpriced_calls, 0), ifnull(most_tokens, 0), ifnull(most_cost_usd, 0), "            \
  "(SELECT json_group_array(name) FROM (SELECT name FROM tag WHERE tag.run = id ORDER BY name))"

constexpr const char* kLoadRun = PERSONASCOPE_RUN_COLUMNS R"(, plan, results
FROM run LEFT JOIN total ON total.run = run.id WHERE id = ?1)";

constexpr const char* kLoadRuns = PERSONASCOPE_RUN_COLUMNS R"(
FROM run LEFT JOIN total ON total.run = run.id
WHERE (?1 IS NULL OR id IN (SELECT run FROM tag WHERE name = ?1))
  AND (?2 IS NULL OR instr(lower(model), lower(?2)) > 0)
  AND (?3 IS NULL OR command = ?3)
ORDER BY id DESC LIMIT ?4)";
#undef PERSONASCOPE_RUN_COLUMNS

// Whether any other run was stored by version 0.1, which did not note which answers it used.
constexpr const char* kHasRunWithoutLinks =
    "SELECT 1 FROM run WHERE has_links = 0 AND id <> ?1 LIMIT 1";

// The answers that go with the run: those that it paid for or that nobody's run paid for, and that
// no item of another run was made from.
#define PERSONASCOPE_OWN_CALLS                                                                 \
  "FROM call WHERE (run = ?1 OR (run NOT IN (SELECT id FROM run) AND call.id IN (SELECT call " \
  "FROM item_call WHERE item IN (SELECT id FROM item WHERE run = ?1)))) "                      \
  "AND call.id NOT IN (SELECT call FROM item_call WHERE item NOT IN "                          \
  "(SELECT id FROM item WHERE run = ?1))"

constexpr const char* kWeighCalls =
    "SELECT count(*), ifnull(sum(length(answer) + length(request) + ifnull(length(logprobs), 0) + "
    "ifnull(length(choices), 0) + length(endpoint) + 200), 0) " PERSONASCOPE_OWN_CALLS;
constexpr const char* kDeleteCalls = "DELETE " PERSONASCOPE_OWN_CALLS;
#undef PERSONASCOPE_OWN_CALLS

constexpr const char* kCountUsed = R"(
SELECT count(DISTINCT call) FROM item_call WHERE item IN (SELECT id FROM item WHERE run = ?1))";

constexpr const char* kWeighItems = R"(
SELECT count(*), ifnull(sum(100 + length(item.item) + ifnull(length(body), 0)), 0)
FROM item LEFT JOIN document ON document.item = item.id WHERE run = ?1)";

// In this order: the links tell which answers are the run's own.
constexpr const char* kDeleteLinks =
    "DELETE FROM item_call WHERE item IN (SELECT id FROM item WHERE run = ?1)";
constexpr const char* kDeleteDocuments =
    "DELETE FROM document WHERE item IN (SELECT id FROM item WHERE run = ?1)";
constexpr const char* kDeleteItems = "DELETE FROM item WHERE run = ?1";
constexpr const char* kDeleteAttempts = "DELETE FROM attempt WHERE run = ?1";
constexpr const char* kDeleteTotals = "DELETE FROM total WHERE run = ?1";
constexpr const char* kDeleteTags = "DELETE FROM tag WHERE run = ?1";
constexpr const char* kDeletePieces = "DELETE FROM piece WHERE run = ?1";
// A number is never given twice: people write them down.
constexpr const char* kNoteDeletion =
    "INSERT INTO deleted_run (id) SELECT id FROM run WHERE id = ?1";
constexpr const char* kDeleteRun = "DELETE FROM run WHERE id = ?1";

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

RunEntry read_entry(const Query& row) {
  RunEntry run;
  run.id = row.integer(0);
  run.uid = row.bytes(1);
  run.command = row.bytes(2);
  run.model = row.bytes(3);
  run.judge = row.bytes(4);
  run.state = find_run_state(row.bytes(5)).value_or(RunState::Failed);
  run.note = row.bytes(6);
  run.started_at = row.bytes(7);
  run.finished_at = row.bytes(8);
  run.heartbeat = row.integer(9);
  run.items = row.integer(10);
  if (const auto headline = parse_json(row.bytes(11)); headline && headline->is_object())
    run.headline = core::read_metric(*headline);
  int column = 12;
  for (const core::Outcome outcome : core::kOutcomes) run.outcomes[outcome] = row.integer(column++);
  run.spending = {row.integer(18), row.integer(19), row.integer(20), row.number(21),
                  row.integer(22), row.integer(23), row.number(24)};
  if (const auto tags = parse_json(row.bytes(25)); tags && tags->is_array())
    for (const Json& tag : *tags)
      if (tag.is_string()) run.tags.push_back(tag);
  return run;
}

std::unexpected<Error> no_such_run(std::int64_t id) {
  return fail(ErrorKind::NotFound, "there is no run {} in the store", id);
}

// The two integers that the statement gives for the run.
Result<std::pair<std::int64_t, std::int64_t>> weigh(Connection& connection, const char* statement,
                                                    std::int64_t id) {
  ASSIGN_OR_RETURN(Query row, connection.query(statement));
  RETURN_IF_ERROR(row.bind(id).next());
  return std::pair(row.integer(0), row.integer(1));
}

Result<bool> may_delete_calls(Connection& connection, std::int64_t id) {
  ASSIGN_OR_RETURN(Query row, connection.query(kHasRunWithoutLinks));
  ASSIGN_OR_RETURN(const bool has_old_run, row.bind(id).next());
  return !has_old_run;
}

}  // namespace

Result<std::int64_t> insert_run(Connection& connection, const RunRecord& run) {
  const std::string plan = render_json(run.plan);
  std::int64_t id = 0;
  {
    ASSIGN_OR_RETURN(Query insert, connection.query(kInsertRun));
    insert.bind(run.uid, run.command, plan, name_of(RunState::Running), run.started_at, run.items,
                run.model, run.judge, seconds_now());
    RETURN_IF_ERROR(insert.run());
    id = connection.last_row_id();
  }
  RETURN_IF_ERROR(change_tags(connection, id, run.tags, {}));
  return id;
}

Result<void> update_run(Connection& connection, std::int64_t id, RunState state,
                        const std::string& note, const std::string& finished_at) {
  ASSIGN_OR_RETURN(Query update, connection.query(kUpdateRun));
  RETURN_IF_ERROR(update.bind(id, name_of(state), note, finished_at, seconds_now()).run());
  if (connection.changes() == 0) return no_such_run(id);
  return {};
}

Result<void> save_results(Connection& connection, std::int64_t id, const Json& results,
                          const std::optional<core::Metric>& headline) {
  const std::string text = render_json(results);
  const std::string metric = headline ? render_json(core::to_json(*headline)) : "";
  ASSIGN_OR_RETURN(Query update, connection.query(kSaveResults));
  RETURN_IF_ERROR(update.bind(id, text, metric).run());
  if (connection.changes() == 0) return no_such_run(id);
  return {};
}

Result<std::optional<std::int64_t>> find_run(Connection& connection, const std::string& uid) {
  ASSIGN_OR_RETURN(Query row, connection.query(kFindByUid));
  ASSIGN_OR_RETURN(const bool is_there, row.bind(uid).next());
  if (!is_there) return std::nullopt;
  return row.integer(0);
}

Result<void> check_run(Connection& connection, std::int64_t id) {
  ASSIGN_OR_RETURN(Query row, connection.query(kHasRun));
  ASSIGN_OR_RETURN(const bool is_there, row.bind(id).next());
  if (!is_there) return no_such_run(id);
  return {};
}

Result<void> beat(Connection& connection, std::int64_t id) {
  ASSIGN_OR_RETURN(Query update, connection.query(kBeat));
  return update.bind(id, seconds_now()).run();
}

Result<void> change_tags(Connection& connection, std::int64_t id,
                         const std::vector<std::string>& add,
                         const std::vector<std::string>& remove) {
  RETURN_IF_ERROR(check_run(connection, id));
  const auto apply = [&](const char* statement,
                         const std::vector<std::string>& tags) -> Result<void> {
    for (const std::string& tag : tags) {
      ASSIGN_OR_RETURN(Query query, connection.query(statement));
      RETURN_IF_ERROR(query.bind(id, tag).run());
    }
    return {};
  };
  RETURN_IF_ERROR(apply(kAddTag, add));
  return apply(kRemoveTag, remove);
}

Result<RunRecord> load_run(Connection& connection, std::int64_t id) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadRun));
  ASSIGN_OR_RETURN(const bool is_there, row.bind(id).next());
  if (!is_there) return no_such_run(id);
  RunRecord run;
  static_cast<RunEntry&>(run) = read_entry(row);
  auto plan = parse_json(row.bytes(26));
  if (!plan)
    return fail(ErrorKind::Storage, "the plan of run {} is damaged: restore the store from a copy",
                run.id);
  run.plan = std::move(*plan);
  if (auto results = parse_json(row.bytes(27))) run.results = std::move(*results);
  return run;
}

Result<std::vector<RunEntry>> load_runs(Connection& connection, const RunFilter& filter) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadRuns));
  row.bind(filter.tag, filter.model, filter.evaluation, filter.limit);
  std::vector<RunEntry> runs;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return runs;
    runs.push_back(read_entry(row));
  }
}

Result<Removal> load_removal(Connection& connection, std::int64_t id) {
  RETURN_IF_ERROR(check_run(connection, id));
  Removal removal;
  ASSIGN_OR_RETURN(const auto items, weigh(connection, kWeighItems, id));
  removal.items = items.first;
  removal.bytes = items.second;
  ASSIGN_OR_RETURN(const bool may_delete, may_delete_calls(connection, id));
  if (may_delete) {
    ASSIGN_OR_RETURN(const auto calls, weigh(connection, kWeighCalls, id));
    removal.calls = calls.first;
    removal.bytes += calls.second;
  }
  ASSIGN_OR_RETURN(Query used, connection.query(kCountUsed));
  RETURN_IF_ERROR(used.bind(id).next());
  removal.kept_calls = std::max<std::int64_t>(0, used.integer(0) - removal.calls);
  return removal;
}

Result<Removal> delete_run(Connection& connection, std::int64_t id) {
  ASSIGN_OR_RETURN(const Removal removal, load_removal(connection, id));
  ASSIGN_OR_RETURN(const bool may_delete, may_delete_calls(connection, id));
  std::vector<const char*> statements;
  if (may_delete) statements.push_back(kDeleteCalls);
  for (const char* statement :
       {kDeleteLinks, kDeleteDocuments, kDeleteItems, kDeleteAttempts, kDeleteTotals, kDeleteTags,
        kDeletePieces, kNoteDeletion, kDeleteRun})
    statements.push_back(statement);
  for (const char* statement : statements) {
    ASSIGN_OR_RETURN(Query query, connection.query(statement));
    RETURN_IF_ERROR(query.bind(id).run());
  }
  return removal;
}

}  // namespace personascope::store
