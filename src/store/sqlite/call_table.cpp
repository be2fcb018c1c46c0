#include "store/sqlite/call_table.hpp"

#include <string_view>
#include <utility>

#include "store/sqlite/logprobs_codec.hpp"

namespace personascope::store {
namespace {

constexpr const char* kInsertCall = R"(
INSERT INTO call (key, run, item, role, cost_usd, latency_us, error_kind, model, finish,
                  input_tokens, output_tokens, cached_input_tokens, answer, logprobs, replicate,
                  endpoint, request, choices)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
ON CONFLICT (key) DO NOTHING)";

constexpr const char* kFindAnswer = R"(
SELECT error_kind, answer, model, finish, input_tokens, output_tokens, cached_input_tokens,
       logprobs, choices
FROM call WHERE key = ?1)";

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
              record.replicate, record.endpoint, Blob{request}, as_blob(columns.choices));
  RETURN_IF_ERROR(insert.run());
  return connection.changes() > 0 ? Kept::This : Kept::Earlier;
}

Result<std::optional<Result<core::Reply>>> find_answer(Connection& connection, TextCodec& codec,
                                                       const Digest& key) {
  ASSIGN_OR_RETURN(Query row, connection.query(kFindAnswer));
  ASSIGN_OR_RETURN(const bool is_found, row.bind(Blob{bytes_of(key)}).next());
  if (!is_found) return std::nullopt;
  ASSIGN_OR_RETURN(Result<core::Reply> answer, unpack_answer(codec, row));
  return answer;
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
