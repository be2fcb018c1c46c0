#include "core/request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text.hpp"

namespace personascope::core {
namespace {

struct NumberField {
  std::string_view name;
  std::optional<double> Sampling::* member;
  double least;
  double most;
};

struct IntegerField {
  std::string_view name;
  std::optional<std::int64_t> Sampling::* member;
  std::int64_t least;
};

constexpr std::array kNumbers{
    NumberField{"temperature", &Sampling::temperature, 0, 2},
    NumberField{"top_p", &Sampling::top_p, 0, 1},
    NumberField{"min_p", &Sampling::min_p, 0, 1},
    NumberField{"frequency_penalty", &Sampling::frequency_penalty, -2, 2},
    NumberField{"presence_penalty", &Sampling::presence_penalty, -2, 2},
};

constexpr std::array kIntegers{
    IntegerField{"top_k", &Sampling::top_k, 0},
    IntegerField{"max_tokens", &Sampling::max_tokens, 1},
    IntegerField{"seed", &Sampling::seed, INT64_MIN},
};

constexpr std::array<std::string_view, 11> kOtherFields{"messages",
                                                        "max_completion_tokens",
                                                        "stop",
                                                        "response_format",
                                                        "logprobs",
                                                        "top_logprobs",
                                                        "n",
                                                        "choices",
                                                        "continuation",
                                                        "reasoning_effort",
                                                        "thinking_budget"};

constexpr std::int64_t kLargestBudget = 1'000'000;

// Content is text, or a list of parts of type "text".
Result<std::string> parse_content(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array())
    return fail(ErrorKind::Invalid, "content must be text or a list of text parts");
  std::string text;
  for (const Json& part : value) {
    const auto piece = find_text(part, "text");
    if (!piece || find_text(part, "type") != "text")
      return fail(ErrorKind::Invalid, "content has a part that is not text");
    text += *piece;
  }
  return text;
}

Result<std::vector<Message>> parse_messages(const Json& value) {
  const Json* list = find_member(value, "messages");
  if (!list || !list->is_array() || list->empty())
    return fail(ErrorKind::Invalid, "\"messages\" must be a list with at least one message");
  std::vector<Message> messages;
  for (const Json& entry : *list) {
    const std::string where = fmt::format("message {}", messages.size() + 1);
    const auto role = find_role(find_text(entry, "role").value_or(""));
    if (!role)
      return fail(ErrorKind::Invalid, "{}: \"role\" must be system, user or assistant", where);
    const Json* content = find_member(entry, "content");
    if (!content) return fail(ErrorKind::Invalid, "{} has no \"content\"", where);
    auto text = parse_content(*content);
    if (!text) return fail(ErrorKind::Invalid, "{}: {}", where, text.error().message);
    messages.push_back({*role, std::move(*text)});
  }
  return messages;
}

std::optional<std::vector<std::string>> find_texts(const Json& value) {
  std::vector<std::string> texts;
  if (value.is_array())
    for (const Json& entry : value)
      if (entry.is_string()) texts.push_back(entry.get<std::string>());
  if (!value.is_array() || texts.size() != value.size()) return std::nullopt;
  return texts;
}

Result<std::vector<std::string>> parse_stop(const Json& value) {
  if (value.is_string()) return std::vector{value.get<std::string>()};
  if (auto stop = find_texts(value)) return std::move(*stop);
  return fail(ErrorKind::Invalid, "\"stop\" must be text or a list of texts");
}

// The two requests that are not for a generated answer.
Result<void> parse_readings(const Json& value, Request& request) {
  if (const Json* choices = find_member(value, "choices")) {
    auto labels = find_texts(*choices);
    if (!labels || labels->size() < 2 || std::ranges::find(*labels, "") != labels->end() ||
        std::set(labels->begin(), labels->end()).size() != labels->size())
      return fail(ErrorKind::Invalid, "\"choices\" must be a list of at least two different texts");
    request.choices = std::move(*labels);
  }
  if (const Json* continuation = find_member(value, "continuation")) {
    if (!continuation->is_string() || continuation->get<std::string>().empty())
      return fail(ErrorKind::Invalid, "\"continuation\" must be text, and not empty");
    request.continuation = continuation->get<std::string>();
  }
  if (request.continuation && !request.choices.empty())
    return fail(ErrorKind::Invalid, "a request has \"choices\" or a \"continuation\", not both");
  if (request.output && (request.continuation || !request.choices.empty()))
    return fail(
        ErrorKind::Invalid,
        "a request with \"choices\" or a \"continuation\" writes no answer that could have a "
        "\"response_format\": leave out one of the two");
  return {};
}

Result<std::optional<OutputSchema>> parse_response_format(const Json& value) {
  const std::string type = find_text(value, "type").value_or("");
  if (type == "text") return std::optional<OutputSchema>{};
  if (type == "json_object")
    return std::optional(OutputSchema{.name = "object", .schema = {{"type", "object"}}});
  const Json* inner = find_member(value, "json_schema");
  const Json* schema = inner ? find_member(*inner, "schema") : nullptr;
  if (type != "json_schema" || !schema || !schema->is_object())
    return fail(ErrorKind::Invalid,
                "\"response_format\" must be text, json_object, or json_schema with a schema");
  return std::optional(OutputSchema{find_text(*inner, "name").value_or("answer"), *schema});
}

Result<Thinking> parse_thinking(const Json& value) {
  Thinking thinking;
  if (find_member(value, "reasoning_effort")) {
    thinking.effort = find_text(value, "reasoning_effort");
    if (!thinking.effort || std::ranges::find(kEfforts, *thinking.effort) == kEfforts.end())
      return fail(ErrorKind::Invalid,
                  "\"reasoning_effort\" must be none, minimal, low, medium or high");
  }
  if (find_member(value, "thinking_budget")) {
    thinking.budget = find_integer(value, "thinking_budget");
    if (thinking.budget.value_or(-1) < 0 || *thinking.budget > kLargestBudget)
      return fail(ErrorKind::Invalid, "\"thinking_budget\" must be a whole number from 0 to {}",
                  kLargestBudget);
  }
  return thinking;
}

Result<void> parse_numbers(const Json& value, Sampling& sampling) {
  for (const NumberField& field : kNumbers) {
    if (!find_member(value, field.name)) continue;
    const auto number = find_number(value, field.name);
    if (!number || !(*number >= field.least && *number <= field.most))
      return fail(ErrorKind::Invalid, "\"{}\" must be a number from {} to {}", field.name,
                  field.least, field.most);
    sampling.*field.member = *number + 0.0;  // -0.0 is 0, and keys the same
  }
  for (const IntegerField& field : kIntegers) {
    if (!find_member(value, field.name)) continue;
    const auto number = find_integer(value, field.name);
    if (!number || *number < field.least)
      return fail(ErrorKind::Invalid, "\"{}\" must be a whole number{}", field.name,
                  field.least == INT64_MIN ? "" : fmt::format(" of at least {}", field.least));
    sampling.*field.member = *number;
  }
  return {};
}

const std::vector<std::string>& known_members() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(kOtherFields.begin(), kOtherFields.end());
    for (const NumberField& field : kNumbers) all.emplace_back(field.name);
    for (const IntegerField& field : kIntegers) all.emplace_back(field.name);
    return all;
  }();
  return names;
}

Result<void> check_members(const Json& value, const std::vector<std::string>& ignored) {
  const std::vector<std::string>& known = known_members();
  for (const auto& [name, member] : value.items()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    if (std::ranges::find(ignored, name) != ignored.end()) continue;
    const auto near = near_matches(name, known);
    return fail(ErrorKind::Invalid, "unknown member \"{}\"{}", shorten(printable(name), 60),
                near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near.front()));
  }
  return {};
}

}  // namespace

Json to_json(const Request& request) {
  Json value;
  value["messages"] = Json::array();
  for (const Message& message : request.messages)
    value["messages"].push_back({{"role", name_of(message.role)}, {"content", message.content}});
  for (const NumberField& field : kNumbers)
    if (const auto& number = request.sampling.*field.member) value[field.name] = *number;
  for (const IntegerField& field : kIntegers)
    if (const auto& number = request.sampling.*field.member) value[field.name] = *number;
  if (request.thinking.effort) value["reasoning_effort"] = *request.thinking.effort;
  if (request.thinking.budget) value["thinking_budget"] = *request.thinking.budget;
  if (!request.sampling.stop.empty()) value["stop"] = request.sampling.stop;
  if (request.output)
    value["output"] = {{"name", request.output->name}, {"schema", request.output->schema}};
  if (request.top_logprobs > 0) value["top_logprobs"] = request.top_logprobs;
  if (!request.choices.empty()) value["choices"] = request.choices;
  if (request.continuation) value["continuation"] = *request.continuation;
  return value;
}

Result<Request> parse_request(const Json& value, const std::vector<std::string>& ignored) {
  if (!value.is_object()) return fail(ErrorKind::Invalid, "a request must be a JSON object");
  RETURN_IF_ERROR(check_members(value, ignored));
  Request request;
  ASSIGN_OR_RETURN(request.messages, parse_messages(value));
  RETURN_IF_ERROR(parse_numbers(value, request.sampling));
  ASSIGN_OR_RETURN(request.thinking, parse_thinking(value));
  if (find_member(value, "max_completion_tokens")) {
    request.sampling.max_tokens = find_integer(value, "max_completion_tokens");
    if (request.sampling.max_tokens.value_or(0) < 1)
      return fail(ErrorKind::Invalid,
                  "\"max_completion_tokens\" must be a whole number of at least 1");
  }
  if (const Json* stop = find_member(value, "stop")) {
    ASSIGN_OR_RETURN(request.sampling.stop, parse_stop(*stop));
  }
  if (const Json* format = find_member(value, "response_format")) {
    ASSIGN_OR_RETURN(request.output, parse_response_format(*format));
  }
  if (const Json* n = find_member(value, "n"); n && *n != 1)
    return fail(ErrorKind::Invalid, "\"n\" must be 1: write one line for each draw you want");
  const Json* wanted = find_member(value, "logprobs");
  if (wanted && !wanted->is_boolean())
    return fail(ErrorKind::Invalid, "\"logprobs\" must be true or false");
  if (wanted && wanted->get<bool>()) request.top_logprobs = 1;
  if (find_member(value, "top_logprobs")) {
    const auto count = find_integer(value, "top_logprobs");
    if (!count || *count < 0 || *count > 20)
      return fail(ErrorKind::Invalid, "\"top_logprobs\" must be a whole number from 0 to 20");
    request.top_logprobs = std::max(request.top_logprobs, *count);
  }
  RETURN_IF_ERROR(parse_readings(value, request));
  return request;
}

bool is_deterministic(const Request& request) {
  return request.sampling.temperature == 0.0 || is_reading(request);
}

}  // namespace personascope::core
