#include "report/bundle_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "report/checked_json.hpp"
#include "store/sqlite/logprobs_codec.hpp"

namespace personascope::report {
namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 50;
constexpr std::int64_t kMostItems = 100'000'000;
constexpr double kMostCost = 1e12;
constexpr std::size_t kMostLinks = 100'000;
constexpr std::size_t kMostTags = 1000;

Json render_error(const Error& error) {
  return {{"kind", name_of(error.kind)}, {"message", error.message}};
}

Result<Error> parse_error(const Json& value) {
  const CheckedJson members(value);
  ASSIGN_OR_RETURN(const std::string kind, members.name("kind"));
  const ErrorKind parsed = error_kind_named(kind);
  if (name_of(parsed) != kind)
    return fail(ErrorKind::Invalid, "there is no kind of error \"{}\"", printable(kind));
  ASSIGN_OR_RETURN(std::string message, members.text("message"));
  return Error{parsed, std::move(message)};
}

Json render_spending(const store::Spending& spending) {
  return {{"calls", spending.calls},
          {"input_tokens", spending.input_tokens},
          {"output_tokens", spending.output_tokens},
          {"cost_usd", spending.cost_usd},
          {"unpriced_calls", spending.unpriced_calls},
          {"max_tokens", spending.max_tokens},
          {"max_cost_usd", spending.max_cost_usd}};
}

Result<store::Spending> parse_spending(const Json& value) {
  const CheckedJson members(value);
  store::Spending spending;
  ASSIGN_OR_RETURN(spending.calls, members.integer("calls", 0, kMostCount));
  ASSIGN_OR_RETURN(spending.input_tokens, members.integer("input_tokens", 0, kMostCount));
  ASSIGN_OR_RETURN(spending.output_tokens, members.integer("output_tokens", 0, kMostCount));
  ASSIGN_OR_RETURN(spending.cost_usd, members.number("cost_usd", 0, kMostCost));
  ASSIGN_OR_RETURN(spending.unpriced_calls, members.integer("unpriced_calls", 0, kMostCount));
  ASSIGN_OR_RETURN(spending.max_tokens, members.integer("max_tokens", 0, kMostCount));
  ASSIGN_OR_RETURN(spending.max_cost_usd, members.number("max_cost_usd", 0, kMostCost));
  return spending;
}

Json render_reply(const core::Reply& reply) {
  const auto tokens = [](const std::optional<std::int64_t>& count) {
    return count ? Json(*count) : Json();
  };
  Json value = {{"text", reply.text},
                {"model", reply.model},
                {"finish", core::name_of(reply.finish)},
                {"input_tokens", tokens(reply.usage.input_tokens)},
                {"output_tokens", tokens(reply.usage.output_tokens)},
                {"cached_input_tokens", tokens(reply.usage.cached_input_tokens)}};
  if (!reply.thinking.empty()) value["thinking"] = reply.thinking;
  if (reply.usage.thinking_tokens) value["thinking_tokens"] = *reply.usage.thinking_tokens;
  // As bytes in hexadecimal: tokens may be parts of characters.
  if (!reply.logprobs.empty())
    value["logprobs"] = render_bytes(store::render_logprobs(reply.logprobs));
  if (!reply.choices.empty()) {
    std::vector<core::TokenLogprobs> place(1);
    place.front().top = reply.choices;
    value["choices"] = render_bytes(store::render_logprobs(place));
  }
  return value;
}

Result<std::vector<core::TokenLogprobs>> parse_tokens(const CheckedJson& members,
                                                      std::string_view name) {
  if (!members.has(name)) return std::vector<core::TokenLogprobs>{};
  ASSIGN_OR_RETURN(const std::string bytes, members.bytes(name));
  auto tokens = store::parse_logprobs(bytes);
  if (!tokens) return fail(ErrorKind::Invalid, "\"{}\" is damaged", name);
  return tokens;
}

Result<core::Reply> parse_reply(const Json& value) {
  const CheckedJson members(value);
  core::Reply reply;
  ASSIGN_OR_RETURN(reply.text, members.text("text"));
  ASSIGN_OR_RETURN(reply.model, members.text("model"));
  ASSIGN_OR_RETURN(const std::string finish, members.name("finish"));
  reply.finish = core::finish_reason_named(finish);
  ASSIGN_OR_RETURN(reply.usage.input_tokens, members.find_count("input_tokens", kMostCount));
  ASSIGN_OR_RETURN(reply.usage.output_tokens, members.find_count("output_tokens", kMostCount));
  ASSIGN_OR_RETURN(reply.usage.cached_input_tokens,
                   members.find_count("cached_input_tokens", kMostCount));
  ASSIGN_OR_RETURN(reply.usage.thinking_tokens, members.find_count("thinking_tokens", kMostCount));
  if (members.has("thinking")) {
    ASSIGN_OR_RETURN(reply.thinking, members.text("thinking"));
  }
  ASSIGN_OR_RETURN(reply.logprobs, parse_tokens(members, "logprobs"));
  ASSIGN_OR_RETURN(auto choices, parse_tokens(members, "choices"));
  if (!choices.empty()) reply.choices = std::move(choices.front().top);
  return reply;
}

// Errors that a call is answered with for good (llm::is_answer).
bool may_be_answer(ErrorKind kind) {
  return kind == ErrorKind::Refused || kind == ErrorKind::ContextTooLong ||
         kind == ErrorKind::Invalid;
}

bool is_uid(const std::string& text) {
  return text.size() == 32 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool is_command(const std::string& text) {
  return !text.empty() && text.size() <= 40 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

Result<std::vector<std::string>> parse_tags(const Json& value) {
  const Json* tags = find_member(value, "tags");
  if (!tags || !tags->is_array() || tags->size() > kMostTags)
    return fail(ErrorKind::Invalid, "\"tags\" must be a list of texts");
  std::vector<std::string> parsed;
  for (const Json& tag : *tags) {
    if (!tag.is_string() || !is_name(tag.get_ref<const std::string&>()))
      return fail(ErrorKind::Invalid, "a tag must be a text without control characters");
    parsed.push_back(tag);
  }
  return parsed;
}

}  // namespace

Json render_run(const store::RunRecord& run) {
  return {{"uid", run.uid},
          {"command", run.command},
          {"model", run.model},
          {"judge", run.judge},
          {"state", name_of(run.state)},
          {"note", run.note},
          {"started_at", run.started_at},
          {"finished_at", run.finished_at},
          {"items", run.items},
          {"spending", render_spending(run.spending)},
          {"headline", run.headline ? core::to_json(*run.headline) : Json()},
          {"tags", run.tags},
          {"plan", run.plan},
          {"results", run.results}};
}

Result<store::RunRecord> parse_run(const Json& value) {
  const CheckedJson members(value);
  store::RunRecord run;
  ASSIGN_OR_RETURN(run.uid, members.name("uid"));
  if (!is_uid(run.uid)) return fail(ErrorKind::Invalid, "\"uid\" must be 32 hexadecimal digits");
  ASSIGN_OR_RETURN(run.command, members.name("command"));
  if (!is_command(run.command))
    return fail(ErrorKind::Invalid, "\"command\" must be the name of a command");
  ASSIGN_OR_RETURN(run.model, members.name("model"));
  ASSIGN_OR_RETURN(run.judge, members.name("judge"));
  ASSIGN_OR_RETURN(const std::string state, members.name("state"));
  const auto known = store::find_run_state(state);
  if (!known) return fail(ErrorKind::Invalid, "there is no state \"{}\"", printable(state));
  run.state = *known;
  ASSIGN_OR_RETURN(run.note, members.text("note"));
  ASSIGN_OR_RETURN(run.started_at, members.name("started_at"));
  ASSIGN_OR_RETURN(run.finished_at, members.name("finished_at"));
  ASSIGN_OR_RETURN(run.items, members.integer("items", 0, kMostItems));
  ASSIGN_OR_RETURN(const Json* spending, members.object("spending"));
  ASSIGN_OR_RETURN(run.spending, parse_spending(*spending));
  if (const Json* headline = find_member(value, "headline"); headline && headline->is_object())
    run.headline = core::read_metric(*headline);
  ASSIGN_OR_RETURN(run.tags, parse_tags(value));
  ASSIGN_OR_RETURN(const Json* plan, members.object("plan"));
  run.plan = *plan;
  if (members.has("results")) {
    ASSIGN_OR_RETURN(const Json* results, members.object("results"));
    run.results = *results;
  }
  return run;
}

Json render_call(const store::SourceCall& source) {
  const store::CallRecord& call = source.call;
  Json value = {{"key", render_hex(call.key)},
                {"is_paid", source.is_paid},
                {"item", call.item},
                {"role", call.role},
                {"endpoint", call.endpoint},
                {"request", call.request},
                {"replicate", call.replicate},
                {"latency_us", call.latency_us},
                {"cost_usd", call.cost_usd ? Json(*call.cost_usd) : Json()}};
  if (call.answer)
    value["reply"] = render_reply(*call.answer);
  else
    value["error"] = render_error(call.answer.error());
  return value;
}

Result<store::SourceCall> parse_call(const Json& value) {
  const CheckedJson members(value);
  store::SourceCall source;
  store::CallRecord& call = source.call;
  ASSIGN_OR_RETURN(call.key, members.key("key"));
  ASSIGN_OR_RETURN(source.is_paid, members.boolean("is_paid"));
  ASSIGN_OR_RETURN(call.item, members.text("item"));
  ASSIGN_OR_RETURN(call.role, members.name("role"));
  ASSIGN_OR_RETURN(call.endpoint, members.text("endpoint"));
  ASSIGN_OR_RETURN(call.request, members.text("request"));
  ASSIGN_OR_RETURN(call.replicate, members.text("replicate"));
  if (store::make_call_key(call.endpoint, call.request, call.replicate) != call.key)
    return fail(ErrorKind::Invalid, "the key is not that of the call");
  ASSIGN_OR_RETURN(call.latency_us, members.integer("latency_us", 0, kMostCount));
  if (members.has("cost_usd")) {
    ASSIGN_OR_RETURN(call.cost_usd, members.number("cost_usd", 0, kMostCost));
  }
  if (members.has("reply")) {
    ASSIGN_OR_RETURN(const Json* reply, members.object("reply"));
    ASSIGN_OR_RETURN(call.answer, parse_reply(*reply));
    return source;
  }
  ASSIGN_OR_RETURN(const Json* error, members.object("error"));
  ASSIGN_OR_RETURN(Error parsed, parse_error(*error));
  if (!may_be_answer(parsed.kind))
    return fail(ErrorKind::Invalid, "an error of kind {} is no answer", name_of(parsed.kind));
  call.answer = std::unexpected(std::move(parsed));
  return source;
}

Json render_attempt(const store::AttemptRecord& attempt) {
  return {{"key", render_hex(attempt.key)},
          {"item", attempt.item},
          {"error", render_error(attempt.error)},
          {"latency_us", attempt.latency_us}};
}

Result<store::AttemptRecord> parse_attempt(const Json& value) {
  const CheckedJson members(value);
  store::AttemptRecord attempt;
  ASSIGN_OR_RETURN(attempt.key, members.key("key"));
  ASSIGN_OR_RETURN(attempt.item, members.text("item"));
  ASSIGN_OR_RETURN(const Json* error, members.object("error"));
  ASSIGN_OR_RETURN(attempt.error, parse_error(*error));
  ASSIGN_OR_RETURN(attempt.latency_us, members.integer("latency_us", 0, kMostCount));
  return attempt;
}

Json render_item(const store::SourceItem& source) {
  const core::ItemRecord& item = source.item;
  Json calls = Json::array();
  for (const core::CallLink& link : source.calls)
    calls.push_back({{"key", render_hex(link.key)}, {"purpose", link.purpose}});
  return {{"position", item.position},
          {"id", item.id},
          {"cluster", item.cluster},
          {"label", item.label},
          {"outcome", core::name_of(item.outcome)},
          {"score", item.score ? Json(*item.score) : Json()},
          {"scores", item.scores},
          {"judges", item.judges},
          {"error", item.error ? render_error(*item.error) : Json()},
          {"document", item.document},
          {"calls", std::move(calls)}};
}

Result<store::SourceItem> parse_item(const Json& value) {
  const CheckedJson members(value);
  store::SourceItem source;
  core::ItemRecord& item = source.item;
  ASSIGN_OR_RETURN(item.position, members.integer("position", 0, kMostItems));
  ASSIGN_OR_RETURN(item.id, members.name("id"));
  ASSIGN_OR_RETURN(item.cluster, members.name("cluster"));
  ASSIGN_OR_RETURN(item.label, members.name("label"));
  ASSIGN_OR_RETURN(const std::string outcome, members.name("outcome"));
  const auto known = core::find_outcome(outcome);
  if (!known) return fail(ErrorKind::Invalid, "there is no outcome \"{}\"", printable(outcome));
  item.outcome = *known;
  if (members.has("score")) {
    ASSIGN_OR_RETURN(item.score, members.number("score", -kMostCost, kMostCost));
  }
  ASSIGN_OR_RETURN(item.scores, members.numbers("scores"));
  ASSIGN_OR_RETURN(item.judges, members.numbers("judges"));
  if (members.has("error")) {
    ASSIGN_OR_RETURN(const Json* error, members.object("error"));
    ASSIGN_OR_RETURN(item.error, parse_error(*error));
  }
  if (members.has("document")) {
    ASSIGN_OR_RETURN(const Json* document, members.object("document"));
    item.document = *document;
  }
  const Json* calls = find_member(value, "calls");
  if (!calls || !calls->is_array() || calls->size() > kMostLinks)
    return fail(ErrorKind::Invalid, "\"calls\" must be a list");
  for (const Json& call : *calls) {
    const CheckedJson link(call);
    core::CallLink parsed;
    ASSIGN_OR_RETURN(parsed.key, link.key("key"));
    ASSIGN_OR_RETURN(parsed.purpose, link.text("purpose"));
    source.calls.push_back(std::move(parsed));
  }
  return source;
}

}  // namespace personascope::report
