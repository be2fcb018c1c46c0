#include "llm/structured.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "llm/json_schema.hpp"

namespace personascope::llm {
namespace {

constexpr int kMostTries = 3;

// The request for a model whose interface knows no schema: it is told in words.
core::Request make_instructed(core::Request request) {
  const std::string instruction = fmt::format(
      "Answer with one JSON value that fits this JSON schema, and with nothing else: no "
      "explanation, no code fence.\n\n{}",
      render_json(request.output->schema));
  request.output.reset();
  if (!request.messages.empty() && request.messages.front().role == core::Role::System) {
    request.messages.front().content += "\n\n" + instruction;
  } else {
    request.messages.insert(request.messages.begin(), {core::Role::System, instruction});
  }
  return request;
}

bool is_alphabetical(const Json* names) {
  return !names || !names->is_array() || std::ranges::is_sorted(*names);
}

void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part) {
  if (part) sum = sum.value_or(0) + *part;
}

// Asks for a better answer: as a dialogue that goes on, or, where the model has no dialogues, with
// the same message and a sentence more.
void ask_for_correction(core::Request& request, const Model& model, const std::string& answer,
                        std::string_view fault) {
  if (!model.features().dialogue) {
    request.messages.back().content += fmt::format(
        "\n\nAn earlier answer did not fit the schema: {}. Answer with the JSON only.", fault);
    return;
  }
  request.messages.push_back({core::Role::Assistant, answer});
  request.messages.push_back(
      {core::Role::User,
       fmt::format("That does not fit the schema: {}. Answer again, with the JSON only.", fault)});
}

Result<std::string> read_answer(const Json& schema, std::string_view text) {
  ASSIGN_OR_RETURN(const Json value, find_json(text));
  RETURN_IF_ERROR(check_schema(schema, value));
  return render_json(value);
}

}  // namespace

core::Request make_first_request(const Model& model, core::Request request, MemberOrder order) {
  if (!request.output) return request;
  // The providers' own means are for objects only. The embedded model's grammar takes any schema,
  // and goes by "required".
  const bool is_object = find_text(request.output->schema, "type") == "object";
  const bool in_order =
      order == MemberOrder::Any || is_alphabetical(find_member(request.output->schema, "required"));
  const bool can_hold = is_local(model) || (is_object && in_order);
  if (can_hold && model.features().output_schema) return request;
  return make_instructed(std::move(request));
}

Result<Json> find_json(std::string_view text) {
  text = trim(text);
  auto whole = parse_json(text);
  if (whole) return whole;
  const std::size_t brace = text.find('{');
  const std::size_t bracket = text.find('[');
  const std::string_view orders = brace < bracket ? "{}[]" : "[]{}";
  for (const std::string_view pair : {orders.substr(0, 2), orders.substr(2)}) {
    const std::size_t start = text.find(pair[0]);
    const std::size_t end = text.rfind(pair[1]);
    if (start == std::string_view::npos || end == std::string_view::npos || end < start) continue;
    if (auto part = parse_json(text.substr(start, end - start + 1))) return part;
  }
  return fail(ErrorKind::Unparsable, "the answer is not JSON");
}

Task<Result<core::Reply>> ask_structured(AskChain& chain, Model& model, core::Request request,
                                         Draw draw, MemberOrder order) {
  if (!request.output) co_return co_await chain.ask(model, std::move(request), std::move(draw));
  const Json schema = request.output->schema;
  core::Request current = make_first_request(model, std::move(request), order);
  core::Usage usage;
  for (int trial = 1;; ++trial) {
    Result<core::Reply> reply = co_await chain.ask(model, current, draw);
    if (!reply) co_return reply;
    add(usage.input_tokens, reply->usage.input_tokens);
    add(usage.output_tokens, reply->usage.output_tokens);
    add(usage.cached_input_tokens, reply->usage.cached_input_tokens);
    add(usage.thinking_tokens, reply->usage.thinking_tokens);
    reply->usage = usage;
    if (core::is_refusal(*reply)) co_return reply;
    auto answer = read_answer(schema, reply->text);
    if (answer) {
      reply->text = std::move(*answer);
      co_return reply;
    }
    const std::string fault = reply->finish == core::FinishReason::Length
                                  ? "the answer was cut off at its token limit (max_tokens)"
                                  : answer.error().message;
    if (trial == kMostTries)
      co_return fail(ErrorKind::Unparsable, "no answer in the required form in {} tries: {}",
                     kMostTries, fault);
    ask_for_correction(current, model, reply->text, fault);
  }
}

}  // namespace personascope::llm
