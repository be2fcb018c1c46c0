#include "store/sqlite/item_table.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "store/sqlite/call_table.hpp"
#include "store/sqlite/total_table.hpp"

namespace personascope::store {
namespace {

constexpr const char* kFindItem = "SELECT id, outcome FROM item WHERE run = ?1 AND position = ?2";

constexpr const char* kInsertItem = R"(
INSERT INTO item (run, position, item, cluster, label, outcome, score, scores, judges, error_kind,
                  reason)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11))";

constexpr const char* kUpdateItem = R"(
UPDATE item SET item = ?2, cluster = ?3, label = ?4, outcome = ?5, score = ?6, scores = ?7,
                judges = ?8, error_kind = ?9, reason = ?10
WHERE id = ?1)";

constexpr const char* kForgetCalls = "DELETE FROM item_call WHERE item = ?1";
constexpr const char* kForgetDocument = "DELETE FROM document WHERE item = ?1";
constexpr const char* kInsertDocument = "INSERT INTO document (item, body) VALUES (?1, ?2)";

constexpr const char* kInsertCallLink = R"(
INSERT INTO item_call (item, place, call, purpose)
SELECT ?1, ?2, id, ?4 FROM call WHERE key = ?3)";

// Which items a filter finds. ?5 and ?6 are limit and offset.
#define PERSONASCOPE_ITEM_COLUMNS \
  "SELECT id, position, item, cluster, label, outcome, score, scores, judges, error_kind, reason "
#define PERSONASCOPE_ITEM_FILTER                               \
  "FROM item WHERE run = ?1 AND (?2 IS NULL OR outcome = ?2) " \
  "AND (?3 IS NULL OR label = ?3) AND (?4 IS NULL OR cluster = ?4) "

constexpr const char* kLoadInOrder =
    PERSONASCOPE_ITEM_COLUMNS PERSONASCOPE_ITEM_FILTER "ORDER BY position LIMIT ?5 OFFSET ?6";
constexpr const char* kLoadWorstFirst = PERSONASCOPE_ITEM_COLUMNS PERSONASCOPE_ITEM_FILTER
    "ORDER BY label IS 'canary', score IS NULL, score, position LIMIT ?5 OFFSET ?6";
constexpr const char* kLoadBestFirst = PERSONASCOPE_ITEM_COLUMNS PERSONASCOPE_ITEM_FILTER
    "ORDER BY label IS 'canary', score IS NULL, score DESC, position LIMIT ?5 OFFSET ?6";
constexpr const char* kCountItems = "SELECT count(*) " PERSONASCOPE_ITEM_FILTER;
constexpr const char* kLoadItem =
    PERSONASCOPE_ITEM_COLUMNS "FROM item WHERE run = ?1 AND position = ?2";
#undef PERSONASCOPE_ITEM_COLUMNS
#undef PERSONASCOPE_ITEM_FILTER

constexpr const char* kFindPosition =
    "SELECT position FROM item WHERE run = ?1 AND item = ?2 ORDER BY position LIMIT 1";
constexpr const char* kLoadLinks = R"(
SELECT place, key, purpose FROM item_call JOIN call ON call.id = item_call.call
WHERE item_call.item = ?1 ORDER BY place)";
constexpr const char* kLoadDocument = "SELECT body FROM document WHERE item = ?1";

// One row of the table, before its document is looked at.
struct Row {
  std::int64_t id = 0;
  core::ItemRecord item;
};

// "" for null.
std::string render_numbers(const Json& by_name) {
  return by_name.is_null() ? std::string() : render_json(by_name);
}

Json read_numbers(std::string_view text) {
  if (text.empty()) return {};
  auto parsed = parse_json(text);
  return parsed ? std::move(*parsed) : Json();
}

Row read_row(const Query& row) {
  Row read;
  read.id = row.integer(0);
  core::ItemRecord& item = read.item;
  item.position = row.integer(1);
  item.id = row.bytes(2);
  item.cluster = row.bytes(3);
  item.label = row.bytes(4);
  item.outcome = core::find_outcome(row.bytes(5)).value_or(core::Outcome::Failed);
  if (!row.is_null(6)) item.score = row.number(6);
  item.scores = read_numbers(row.bytes(7));
  item.judges = read_numbers(row.bytes(8));
  if (!row.is_null(9))
    item.error = Error{error_kind_named(row.bytes(9)), std::string(row.bytes(10))};
  return read;
}

constexpr std::int64_t kMostPlaces = 1'000'000;

Result<Row> load_row(Connection& connection, std::int64_t run, std::int64_t position) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadItem));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(run, position).next());
  if (!is_found)
    return fail(ErrorKind::NotFound, "run {} has no item at position {}", run, position);
  return read_row(row);
}

struct Found {
  std::int64_t id = 0;
  core::Outcome outcome = core::Outcome::Failed;
};

Result<std::optional<Found>> find_item(Connection& connection, std::int64_t run,
                                       std::int64_t position) {
  ASSIGN_OR_RETURN(Query row, connection.query(kFindItem));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(run, position).next());
  if (!is_found) return std::nullopt;
  return Found{row.integer(0), core::find_outcome(row.bytes(1)).value_or(core::Outcome::Failed)};
}

Result<void> forget(Connection& connection, std::int64_t id) {
  for (const char* statement : {kForgetCalls, kForgetDocument}) {
    ASSIGN_OR_RETURN(Query query, connection.query(statement));
    RETURN_IF_ERROR(query.bind(id).run());
  }
  return {};
}

Result<std::int64_t> write_row(Connection& connection, std::int64_t run,
                               const core::ItemRecord& item, const std::optional<Found>& earlier) {
  const std::string scores = render_numbers(item.scores);
  const std::string judges = render_numbers(item.judges);
  std::optional<std::string_view> kind;
  std::optional<std::string_view> reason;
  if (item.error) {
    kind = name_of(item.error->kind);
    reason = item.error->message;
  }
  const std::string_view outcome = core::name_of(item.outcome);
  if (earlier) {
    RETURN_IF_ERROR(forget(connection, earlier->id));
    ASSIGN_OR_RETURN(Query update, connection.query(kUpdateItem));
    update.bind(earlier->id, item.id, item.cluster, item.label, outcome, item.score, scores, judges,
                kind, reason);
    RETURN_IF_ERROR(update.run());
    return earlier->id;
  }
  ASSIGN_OR_RETURN(Query insert, connection.query(kInsertItem));
  insert.bind(run, item.position, item.id, item.cluster, item.label, outcome, item.score, scores,
              judges, kind, reason);
  RETURN_IF_ERROR(insert.run());
  return connection.last_row_id();
}

Result<void> write_links(Connection& connection, std::int64_t id,
                         const std::vector<core::CallLink>& calls) {
  ASSIGN_OR_RETURN(Query insert, connection.query(kInsertCallLink));
  for (std::size_t place = 0; place < calls.size(); ++place) {
    insert.bind(id, static_cast<std::int64_t>(place), Blob{bytes_of(calls[place].key)},
                calls[place].purpose);
    RETURN_IF_ERROR(insert.run());
    insert.reset();
  }
  return {};
}

// As it is stored.
Result<Json> load_stored_document(Connection& connection, TextCodec& codec, std::int64_t id) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadDocument));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(id).next());
  if (!is_found) return Json();
  ASSIGN_OR_RETURN(const std::string text, codec.unpack(row.bytes(0)));
  auto document = parse_json(text);
  if (!document)
    return fail(ErrorKind::Storage, "an item's document is damaged: run `resume` to make it again");
  return std::move(*document);
}

// The document with the texts of its calls in their places.
Result<Json> load_document(Connection& connection, TextCodec& codec, std::int64_t id,
                           const std::vector<std::string>& texts) {
  ASSIGN_OR_RETURN(Json document, load_stored_document(connection, codec, id));
  core::resolve_calls(document, texts);
  return document;
}

std::vector<std::string> list_texts(const std::vector<ItemCall>& calls) {
  std::vector<std::string> texts;
  for (const ItemCall& call : calls) {
    if (std::ssize(texts) <= call.place) texts.resize(static_cast<std::size_t>(call.place) + 1);
    if (call.answer) texts[static_cast<std::size_t>(call.place)] = call.answer->text;
  }
  return texts;
}

bool holds(const Json& value, const std::string& text) {
  if (value.is_string()) return lower(value.get_ref<const std::string&>()).contains(text);
  return value.is_structured() &&
         std::ranges::any_of(value, [&](const Json& part) { return holds(part, text); });
}

const char* statement_for(ItemOrder order) {
  switch (order) {
    case ItemOrder::WorstFirst:
      return kLoadWorstFirst;
    case ItemOrder::BestFirst:
      return kLoadBestFirst;
    case ItemOrder::Position:
      break;
  }
  return kLoadInOrder;
}

Result<std::vector<Row>> load_rows(Connection& connection, std::int64_t run,
                                   const ItemFilter& filter, std::int64_t offset,
                                   std::int64_t limit) {
  std::optional<std::string_view> outcome;
  if (filter.outcome) outcome = core::name_of(*filter.outcome);
  ASSIGN_OR_RETURN(Query row, connection.query(statement_for(filter.order)));
  row.bind(run, outcome, filter.label, filter.cluster, limit, offset);
  std::vector<Row> rows;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return rows;
    rows.push_back(read_row(row));
  }
}

// Goes through the items whose id or document holds the text, until `visit` returns false.
Result<void> search(Connection& connection, TextCodec& codec, std::int64_t run,
                    const ItemFilter& filter, const std::function<bool(core::ItemRecord)>& visit) {
  constexpr std::int64_t kPage = 1000;
  const std::string wanted = lower(*filter.search);
  for (std::int64_t offset = 0;; offset += kPage) {
    ASSIGN_OR_RETURN(std::vector<Row> rows, load_rows(connection, run, filter, offset, kPage));
    for (Row& row : rows) {
      bool is_found = lower(row.item.id).contains(wanted);
      if (!is_found) {
        ASSIGN_OR_RETURN(const auto calls, load_item_calls(connection, codec, run, row.id));
        ASSIGN_OR_RETURN(const Json document,
                         load_document(connection, codec, row.id, list_texts(calls)));
        is_found = holds(document, wanted);
      }
      if (is_found && !visit(std::move(row.item))) return {};
    }
    if (std::ssize(rows) < kPage) return {};
  }
}

}  // namespace

Result<void> upsert_item(Connection& connection, TextCodec& codec, std::int64_t run,
                         const core::ItemRecord& item, const std::vector<core::CallLink>& calls) {
  ASSIGN_OR_RETURN(const auto earlier, find_item(connection, run, item.position));
  core::OutcomeCounts change;
  ++change[item.outcome];
  if (earlier) --change[earlier->outcome];
  std::optional<std::string> body;
  if (!item.document.is_null()) {
    ASSIGN_OR_RETURN(body, codec.pack(render_json(item.document)));
  }
  ASSIGN_OR_RETURN(const std::int64_t id, write_row(connection, run, item, earlier));
  if (body) {
    ASSIGN_OR_RETURN(Query insert, connection.query(kInsertDocument));
    RETURN_IF_ERROR(insert.bind(id, Blob{*body}).run());
  }
  RETURN_IF_ERROR(write_links(connection, id, calls));
  return add_outcomes(connection, run, change);
}

Result<std::vector<core::ItemRecord>> load_items(Connection& connection, TextCodec& codec,
                                                 std::int64_t run, const ItemFilter& filter) {
  std::vector<core::ItemRecord> items;
  if (filter.search) {
    std::int64_t skipped = 0;
    RETURN_IF_ERROR(search(connection, codec, run, filter, [&](core::ItemRecord item) {
      if (skipped++ >= filter.offset) items.push_back(std::move(item));
      return std::ssize(items) < filter.limit;
    }));
    return items;
  }
  ASSIGN_OR_RETURN(auto rows, load_rows(connection, run, filter, filter.offset, filter.limit));
  for (Row& row : rows) items.push_back(std::move(row.item));
  return items;
}

Result<std::int64_t> count_items(Connection& connection, TextCodec& codec, std::int64_t run,
                                 const ItemFilter& filter) {
  std::int64_t count = 0;
  if (filter.search) {
    RETURN_IF_ERROR(search(connection, codec, run, filter, [&](const core::ItemRecord&) {
      ++count;
      return true;
    }));
    return count;
  }
  std::optional<std::string_view> outcome;
  if (filter.outcome) outcome = core::name_of(*filter.outcome);
  ASSIGN_OR_RETURN(Query row, connection.query(kCountItems));
  RETURN_IF_ERROR(row.bind(run, outcome, filter.label, filter.cluster).next());
  return row.integer(0);
}

Result<std::int64_t> find_position(Connection& connection, std::int64_t run,
                                   const std::string& id) {
  ASSIGN_OR_RETURN(Query row, connection.query(kFindPosition));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(run, id).next());
  if (!is_found)
    return fail(ErrorKind::NotFound, "run {} has no item \"{}\"", run, printable(shorten(id, 80)));
  return row.integer(0);
}

Result<ItemDetails> load_item(Connection& connection, TextCodec& codec, std::int64_t run,
                              std::int64_t position) {
  ASSIGN_OR_RETURN(Row found, load_row(connection, run, position));
  ItemDetails details;
  details.item = std::move(found.item);
  ASSIGN_OR_RETURN(details.calls, load_item_calls(connection, codec, run, found.id));
  ASSIGN_OR_RETURN(details.item.document,
                   load_document(connection, codec, found.id, list_texts(details.calls)));
  return details;
}

Result<SourceItem> load_source_item(Connection& connection, TextCodec& codec, std::int64_t run,
                                    std::int64_t position) {
  ASSIGN_OR_RETURN(Row found, load_row(connection, run, position));
  SourceItem source;
  source.item = std::move(found.item);
  ASSIGN_OR_RETURN(source.item.document, load_stored_document(connection, codec, found.id));
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadLinks));
  row.bind(found.id);
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return source;
    // Places without a call, which references count in, stay empty.
    const auto place = std::clamp<std::int64_t>(row.integer(0), 0, kMostPlaces);
    source.calls.resize(static_cast<std::size_t>(place) + 1);
    core::CallLink& link = source.calls.back();
    if (row.bytes(1).size() == link.key.size()) std::ranges::copy(row.bytes(1), link.key.begin());
    link.purpose = row.bytes(2);
  }
}

}  // namespace personascope::store
