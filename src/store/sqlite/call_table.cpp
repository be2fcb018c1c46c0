#include "store/sqlite/call_table.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "store/sqlite/logprobs_codec.hpp"

namespace personascope::store {
namespace {

constexpr const char* kInsertCall = R"(
INSERT INTO call (key, run, item, role, cost_usd, latency_us, error_kind, model, finish,
                  input_tokens, output_tokens, cached_input_tokens, answer, logprobs, replicate,
                  endpoint, request, choices, checksum)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
ON CONFLICT (key) DO NOTHING)";

// The columns that unpack_answer() reads come first, and in this order.
#define PERSONASCOPE_ANSWER_COLUMNS                                         \
  "SELECT error_kind, answer, model, finish, input_tokens, output_tokens, " \
  "cached_input_tokens, logprobs, choices, checksum, key"

constexpr const char* kFindAnswer = PERSONASCOPE_ANSWER_COLUMNS " FROM call WHERE key = ?1";

constexpr const char* kCheckCalls =
    PERSONASCOPE_ANSWER_COLUMNS ", item, endpoint, request, replicate FROM call";

constexpr const char* kLoadItemCalls = PERSONASCOPE_ANSWER_COLUMNS R"(,
       call.item, role, endpoint, request, replicate, latency_us, cost_usd, run = ?2, place,
       purpose, (SELECT count(*) FROM attempt WHERE attempt.key = call.key)
FROM item_call JOIN call ON call.id = item_call.call
WHERE item_call.item = ?1 ORDER BY place)";

#define PERSONASCOPE_WHOLE_CALL \
  ", item, role, endpoint, request, replicate, latency_us, cost_usd, run = ?2 FROM call WHERE "
constexpr const char* kLoadCallById = PERSONASCOPE_ANSWER_COLUMNS PERSONASCOPE_WHOLE_CALL "id = ?1";
constexpr const char* kLoadCallByKey =
    PERSONASCOPE_ANSWER_COLUMNS PERSONASCOPE_WHOLE_CALL "key = ?1";
#undef PERSONASCOPE_WHOLE_CALL
#undef PERSONASCOPE_ANSWER_COLUMNS

constexpr const char* kForgetAnswer = "DELETE FROM call WHERE key = ?1";

constexpr const char* kLoadCallsOfItem = R"(
SELECT item, role, endpoint, request, replicate, latency_us FROM call
WHERE role = ?1 AND item = ?3 ORDER BY id DESC LIMIT ?2)";

constexpr const char* kLoadCalls = R"(
SELECT item, role, endpoint, request, replicate, latency_us FROM call
WHERE role = ?1 ORDER BY id DESC LIMIT ?2)";

// The columns that tell an answer: a permanent error has only a kind and its message as answer.
struct AnswerColumns {
  std::optional<std::string_view> error_kind;
  std::optional<std::string_view> model;
  std::optional<std::string_view> finish;
  core::Usage usage;
  std::string answer;
  std::optional<std::string> logprobs;
  std::optional<std::string> choices;  // in the form of log-probabilities at one place
};

Result<AnswerColumns> pack_answer(TextCodec& codec, const Result<core::Reply>& answer) {
  AnswerColumns columns;
  if (!answer) {
    columns.error_kind = name_of(answer.error().kind);
    ASSIGN_OR_RETURN(columns.answer, codec.pack(answer.error().message));
    return columns;
  }
  columns.model = answer->model;
  columns.finish = core::name_of(answer->finish);
  columns.usage = answer->usage;
  ASSIGN_OR_RETURN(columns.answer, codec.pack(answer->text));
  if (!answer->logprobs.empty()) {
    ASSIGN_OR_RETURN(columns.logprobs, codec.pack(render_logprobs(answer->logprobs)));
  }
  if (!answer->choices.empty()) {
    std::vector<core::TokenLogprobs> place(1);
    place.front().top = answer->choices;
    ASSIGN_OR_RETURN(columns.choices, codec.pack(render_logprobs(place)));
  }
  return columns;
}

Result<Result<core::Reply>> unpack_answer(TextCodec& codec, const Query& row) {
  ASSIGN_OR_RETURN(std::string text, codec.unpack(row.bytes(1)));
  if (!row.is_null(0))
    return Result<core::Reply>(
        std::unexpected(Error{error_kind_named(row.bytes(0)), std::move(text)}));
  core::Reply reply;
  reply.text = std::move(text);
  reply.model = row.bytes(2);
  reply.finish = core::finish_reason_named(row.bytes(3));
  reply.usage = {row.find_integer(4), row.find_integer(5), row.find_integer(6)};
  if (!row.is_null(7)) {
    ASSIGN_OR_RETURN(const std::string logprobs, codec.unpack(row.bytes(7)));
    ASSIGN_OR_RETURN(reply.logprobs, parse_logprobs(logprobs));
  }
  if (!row.is_null(8)) {
    ASSIGN_OR_RETURN(const std::string packed, codec.unpack(row.bytes(8)));
    ASSIGN_OR_RETURN(auto places, parse_logprobs(packed));
    if (!places.empty()) reply.choices = std::move(places.front().top);
  }
  return Result<core::Reply>(std::move(reply));
}

// Of everything that makes the answer, and of the key, so that it is no other call's.
std::int64_t make_checksum(std::string_view key, std::string_view error_kind,
                           std::string_view finish, std::string_view answer,
                           std::string_view logprobs, std::string_view choices) {
  Sha256 hash;
  for (const std::string_view part : {key, error_kind, finish, answer, logprobs, choices}) {
    hash.update(fmt::format("{} ", part.size()));
    hash.update(part);
  }
  const Digest digest = hash.digest();
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < sizeof first; ++i) first = first << 8 | digest[i];
  return static_cast<std::int64_t>(first);
}

// Rows of version 0.1 have no checksum.
bool has_wrong_checksum(const Query& row) {
  return !row.is_null(9) &&
         row.integer(9) != make_checksum(row.bytes(10), row.bytes(0), row.bytes(3), row.bytes(1),
                                         row.bytes(7), row.bytes(8));
}

Result<core::Reply> damaged_answer() {
  return fail(ErrorKind::Storage, "the stored answer is damaged");
}

FoundAnswer read_answer(TextCodec& codec, const Query& row) {
  if (has_wrong_checksum(row)) return {damaged_answer(), true};
  auto answer = unpack_answer(codec, row);
  if (!answer) return {damaged_answer(), true};
  return {std::move(*answer), false};
}

// The key is made of these texts, so that it is a checksum of theirs.
bool fits_key(const Query& row, TextCodec& codec) {
  const auto request = codec.unpack(row.bytes(13));
  if (!request) return false;
  return bytes_of(make_call_key(row.bytes(12), *request, row.bytes(14))) == row.bytes(10);
}

// The answer and the columns behind it up to the cost, into a CallRecord or an ItemCall. Returns
// whether answer and key are as they were stored.
template <class Call>
Result<bool> read_columns(TextCodec& codec, const Query& row, Call& call) {
  FoundAnswer found = read_answer(codec, row);
  call.answer = std::move(found.answer);
  const bool has_key = row.bytes(10).size() == call.key.size();
  if (has_key) std::ranges::copy(row.bytes(10), call.key.begin());
  call.item = row.bytes(11);
  call.role = row.bytes(12);
  call.endpoint = row.bytes(13);
  ASSIGN_OR_RETURN(call.request, codec.unpack(row.bytes(14)));
  call.replicate = row.bytes(15);
  call.latency_us = row.integer(16);
  if (!row.is_null(17)) call.cost_usd = row.number(17);
  return has_key && !found.is_damaged;
}

Result<SourceCall> read_call(TextCodec& codec, const Query& row) {
  SourceCall read;
  ASSIGN_OR_RETURN(const bool is_whole, read_columns(codec, row, read.call));
  if (!is_whole)
    return fail(ErrorKind::Storage,
                "a stored answer is damaged: `resume` the run, which asks for it again");
  read.is_paid = row.integer(18) != 0;
  return read;
}

std::optional<Blob> as_blob(const std::optional<std::string>& bytes) {
  if (!bytes) return std::nullopt;
  return Blob{*bytes};
}

}  // namespace

Result<Kept> insert_call(Connection& connection, TextCodec& codec, const CallRecord& record) {
  ASSIGN_OR_RETURN(const AnswerColumns columns, pack_answer(codec, record.answer));
  ASSIGN_OR_RETURN(const std::string request, codec.pack(record.request));
  ASSIGN_OR_RETURN(Query insert, connection.query(kInsertCall));
  insert.bind(Blob{bytes_of(record.key)}, record.run, record.item, record.role, record.cost_usd,
              record.latency_us, columns.error_kind, columns.model, columns.finish,
              columns.usage.input_tokens, columns.usage.output_tokens,
              columns.usage.cached_input_tokens, Blob{columns.answer}, as_blob(columns.logprobs),
              record.replicate, record.endpoint, Blob{request}, as_blob(columns.choices),
              make_checksum(bytes_of(record.key), columns.error_kind.value_or(""),
                            columns.finish.value_or(""), columns.answer,
                            columns.logprobs.value_or(""), columns.choices.value_or("")));
  RETURN_IF_ERROR(insert.run());
  return connection.changes() > 0 ? Kept::This : Kept::Earlier;
}

Result<std::optional<FoundAnswer>> find_answer(Connection& connection, TextCodec& codec,
                                               const Digest& key) {
  ASSIGN_OR_RETURN(Query row, connection.query(kFindAnswer));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(Blob{bytes_of(key)}).next());
  if (!is_found) return std::nullopt;
  return read_answer(codec, row);
}

Result<SourceCall> load_call(Connection& connection, TextCodec& codec, std::int64_t id,
                             std::int64_t run) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadCallById));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(id, run).next());
  if (!is_found) return fail(ErrorKind::Storage, "a call of the run is missing in the store");
  return read_call(codec, row);
}

Result<std::optional<SourceCall>> find_call(Connection& connection, TextCodec& codec,
                                            const Digest& key, std::int64_t run) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadCallByKey));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(Blob{bytes_of(key)}, run).next());
  if (!is_found) return std::nullopt;
  ASSIGN_OR_RETURN(SourceCall call, read_call(codec, row));
  return call;
}

Result<void> forget_answer(Connection& connection, const Digest& key) {
  ASSIGN_OR_RETURN(Query forget, connection.query(kForgetAnswer));
  return forget.bind(Blob{bytes_of(key)}).run();
}

Result<CallCheck> check_calls(Connection& connection, TextCodec& codec,
                              const std::function<void(std::int64_t)>& on_row) {
  constexpr std::int64_t kTellEvery = 1000;
  CallCheck check;
  ASSIGN_OR_RETURN(Query row, connection.query(kCheckCalls));
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return check;
    ++check.calls;
    if (row.is_null(9)) ++check.without_checksum;
    if (read_answer(codec, row).is_damaged || !fits_key(row, codec))
      check.damaged_items.emplace_back(row.bytes(11));
    if (on_row && check.calls % kTellEvery == 0) on_row(check.calls);
  }
}

Result<std::vector<ItemCall>> load_item_calls(Connection& connection, TextCodec& codec,
                                              std::int64_t run, std::int64_t item) {
  ASSIGN_OR_RETURN(Query row, connection.query(kLoadItemCalls));
  row.bind(item, run);
  std::vector<ItemCall> calls;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return calls;
    ItemCall call;
    RETURN_IF_ERROR(read_columns(codec, row, call));  // a damaged answer is shown as one
    call.is_paid_here = row.integer(18) != 0;
    call.place = std::clamp<std::int64_t>(row.integer(19), 0, 1'000'000);
    call.purpose = row.bytes(20);
    call.attempts = row.integer(21);
    calls.push_back(std::move(call));
  }
}

Result<std::vector<StoredCall>> load_calls(Connection& connection, TextCodec& codec,
                                           const std::string& item, const std::string& role,
                                           std::int64_t limit) {
  ASSIGN_OR_RETURN(Query row, connection.query(item.empty() ? kLoadCalls : kLoadCallsOfItem));
  if (item.empty()) {
    row.bind(role, limit);
  } else {
    row.bind(role, limit, item);
  }
  std::vector<StoredCall> calls;
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, row.next());
    if (!has_row) return calls;
    ASSIGN_OR_RETURN(std::string request, codec.unpack(row.bytes(3)));
    calls.push_back({std::string(row.bytes(0)), std::string(row.bytes(1)),
                     std::string(row.bytes(2)), std::move(request), std::string(row.bytes(4)),
                     row.integer(5)});
  }
}

}  // namespace personascope::store
