#include "store/sqlite/old_units.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "store/sqlite/item_table.hpp"

namespace personascope::store {
namespace {

constexpr std::int64_t kPage = 1000;

constexpr const char* kLoadUnits = R"(
SELECT unit.id, unit.run, position, item, outcome, detail, ifnull(command, '')
FROM unit LEFT JOIN run ON run.id = unit.run WHERE unit.id > ?1 ORDER BY unit.id LIMIT ?2)";

// A value that is no text, or a plan that is no JSON, gives an empty name.
constexpr const char* kFillRuns = R"(
UPDATE run SET
  model = CASE WHEN json_valid(plan) THEN coalesce(json_extract(plan, '$.model'),
    json_extract(plan, '$.assistant'), '') ELSE '' END,
  judge = CASE WHEN json_valid(plan) THEN coalesce(
    (SELECT group_concat(value, ', ') FROM json_each(plan, '$.judges')),
    json_extract(plan, '$.judge'), '') ELSE '' END)";

struct OldUnit {
  std::int64_t id = 0;
  std::int64_t run = 0;
  core::ItemRecord item;
};

// How 0.1 wrote a failure: "timeout: no answer in 60 s".
Error parse_failure(const std::string& detail) {
  const std::size_t colon = detail.find(": ");
  if (colon == std::string::npos) return {ErrorKind::Internal, detail};
  return {error_kind_named(detail.substr(0, colon)), detail.substr(colon + 2)};
}

core::ItemRecord make_item(const Query& row, const std::string& detail) {
  core::ItemRecord item;
  item.position = row.integer(2);
  item.id = row.bytes(3);
  const std::string_view outcome = row.bytes(4);
  const std::string_view command = row.bytes(6);
  auto known = parse_json(detail);
  if (outcome != "ok") {
    item.outcome = core::find_outcome(outcome).value_or(core::Outcome::Failed);
    if (!detail.empty() && item.outcome == core::Outcome::Failed)
      item.error = parse_failure(detail);
    else if (!detail.empty())
      item.error = Error{ErrorKind::Refused, detail};
    return item;
  }
  if (!known || !known->is_object()) {
    const bool grades = command != "batch" && command != "lift" && command != "profiles";
    item.outcome = grades ? core::Outcome::Abstained : core::Outcome::Answered;
    return item;
  }
  const Json* scores = find_member(*known, "scores");
  const Json* judges = find_member(*known, "judges");
  item.score = find_number(*known, "score");
  if (scores) item.scores = *scores;
  if (judges) item.judges = *judges;
  item.cluster = find_text(*known, "cluster").value_or("");
  item.label = find_text(*known, "task").value_or(find_text(*known, "mode").value_or(""));
  const bool is_scored = item.score || (scores && !scores->empty()) || known->contains("control");
  item.outcome = is_scored ? core::Outcome::Scored : core::Outcome::Answered;
  item.document = std::move(*known);
  return item;
}

Result<std::vector<OldUnit>> load_page(Connection& connection, TextCodec& codec,
                                       std::int64_t after) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadUnits));
  row.bind(after, kPage);
  std::vector<OldUnit> units;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return units;
    // A damaged text is no reason to lose the item.
    const auto detail = codec.unpack(row.bytes(5));
    units.push_back({row.integer(0), row.integer(1), make_item(row, detail ? *detail : "")});
  }
}

}  // namespace

Result<void> turn_units_into_items(Connection& connection) {
  TextCodec codec;
  RETURN_IF_ERROR(connection.execute("UPDATE total SET refused = 0, failed = 0"));
  for (std::int64_t after = 0;;) {
    ASSIGN_OR_RETURN(const auto units, load_page(connection, codec, after));
    if (units.empty()) break;
    for (const OldUnit& unit : units)
      RETURN_IF_ERROR(upsert_item(connection, codec, unit.run, unit.item, {}));
    after = units.back().id;
  }
  RETURN_IF_ERROR(connection.execute(kFillRuns));
  return connection.execute("DROP TABLE unit");
}

}  // namespace personascope::store
