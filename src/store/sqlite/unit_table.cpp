#include "store/sqlite/unit_table.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "store/sqlite/total_table.hpp"

namespace personascope::store {
namespace {

constexpr const char* kFindOutcome = "SELECT outcome FROM unit WHERE run = ?1 AND position = ?2";

constexpr const char* kUpsertUnit = R"(
INSERT INTO unit (run, position, item, outcome, detail) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (run, position) DO UPDATE SET item = ?3, outcome = ?4, detail = ?5)";

constexpr const char* kLoadUnits = R"(
SELECT position, item, outcome, detail FROM unit
WHERE run = ?1 AND (?2 IS NULL OR outcome = ?2) ORDER BY position LIMIT ?3)";

core::Outcome outcome_named(std::string_view name) {
  using enum core::Outcome;
  for (const core::Outcome outcome : {Ok, Refused})
    if (core::name_of(outcome) == name) return outcome;
  return Failed;
}

std::int64_t& count_of(OutcomeCounts& counts, core::Outcome outcome) {
  switch (outcome) {
    case core::Outcome::Ok:
      return counts.ok;
    case core::Outcome::Refused:
      return counts.refused;
    case core::Outcome::Failed:
      return counts.failed;
  }
  return counts.failed;
}

Result<std::optional<core::Outcome>> find_outcome(Connection& connection, std::int64_t run,
                                                  std::int64_t index) {
  ASSIGN_OR_RETURN(Query row, connection.query(kFindOutcome));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(run, index).next());
  if (!is_found) return std::nullopt;
  return outcome_named(row.bytes(0));
}

}  // namespace

Result<void> upsert_unit(Connection& connection, TextCodec& codec, std::int64_t run,
                         const UnitRecord& unit) {
  ASSIGN_OR_RETURN(const std::string detail, codec.pack(unit.detail));
  ASSIGN_OR_RETURN(const auto earlier, find_outcome(connection, run, unit.index));
  OutcomeCounts change;
  ++count_of(change, unit.outcome);
  if (earlier) --count_of(change, *earlier);
  ASSIGN_OR_RETURN(Query upsert, connection.query(kUpsertUnit));
  upsert.bind(run, unit.index, unit.item, core::name_of(unit.outcome), Blob{detail});
  RETURN_IF_ERROR(upsert.run());
  return add_outcomes(connection, run, change);
}

Result<std::vector<UnitRecord>> load_units(Connection& connection, TextCodec& codec,
                                           std::int64_t run, std::optional<core::Outcome> outcome,
                                           std::int64_t limit) {
  std::optional<std::string_view> wanted;
  if (outcome) wanted = core::name_of(*outcome);
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadUnits));
  row.bind(run, wanted, limit);
  std::vector<UnitRecord> units;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return units;
    ASSIGN_OR_RETURN(std::string detail, codec.unpack(row.bytes(3)));
    units.push_back({row.integer(0), std::string(row.bytes(1)), outcome_named(row.bytes(2)),
                     std::move(detail)});
  }
}

}  // namespace personascope::store
