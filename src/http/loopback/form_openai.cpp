// OpenAI's chat completions, also at the paths of servers that speak it.
#include <array>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "http/loopback/form.hpp"

namespace personascope::http::loopback {
namespace {

constexpr std::int64_t kCreated = 1700000000;  // fixed: a reply is a function of its request
constexpr double kFirstProbability = 0.7;

bool takes(std::string_view path) {
  return path.ends_with("/chat/completions");
}

void read_response_format(const Json& body, Ask& ask) {
  const Json* format = find_member(body, "response_format");
  if (!format) return;
  const std::string type = find_text(*format, "type").value_or("");
  const Json* wrapper = find_member(*format, "json_schema");
  const Json* schema = wrapper ? find_member(*wrapper, "schema") : nullptr;
  if (type == "json_schema" && schema) ask.schema = *schema;
  if (type == "json_object")
    ask.schema = Json{{"type", "object"}, {"properties", {{"answer", {{"type", "string"}}}}}};
}

bool is_true(const Json& value, std::string_view key) {
  const Json* member = find_member(value, key);
  return member && *member == true;
}

Result<Ask> read(const Json& body, std::string_view) {
  Ask ask;
  ask.model = find_text(body, "model").value_or("");
  RETURN_IF_ERROR(add_messages(body, ask));
  ask.stream = is_true(body, "stream");
  if (const Json* options = find_member(body, "stream_options"))
    ask.stream_usage = is_true(*options, "include_usage");
  if (is_true(body, "logprobs")) ask.logprobs = Logprobs::Yes;
  const std::int64_t top = find_integer(body, "top_logprobs").value_or(0);
  if (top < 0 || top > 20) return fail(ErrorKind::Invalid, "top_logprobs must be between 0 and 20");
  ask.top_logprobs = static_cast<std::size_t>(top);
  read_response_format(body, ask);
  return ask;
}

Json render_token(std::string_view token, double probability) {
  Json bytes = Json::array();
  for (const char byte : token) bytes.push_back(static_cast<unsigned char>(byte));
  return {{"token", token}, {"logprob", std::log(probability)}, {"bytes", std::move(bytes)}};
}

// Other tokens that a model might have said: digits for a digit, so that scores have neighbours.
std::string make_alternative(std::string_view token, std::size_t index) {
  const bool digit = token.size() == 1 && token[0] >= '0' && token[0] <= '9';
  if (!digit) return fmt::format(" other{}", index);
  return std::string(1, static_cast<char>('0' + (token[0] - '0' + static_cast<int>(index)) % 10));
}

Json render_logprobs(const Ask& ask, std::string_view text) {
  Json content = Json::array();
  for (const std::string_view token : split_tokens(text)) {
    Json entry = render_token(token, kFirstProbability);
    Json top = Json::array();
    double probability = kFirstProbability;
    double rest = 1 - kFirstProbability;
    for (std::size_t i = 0; i < ask.top_logprobs; ++i) {
      const std::string other = i == 0 ? std::string(token) : make_alternative(token, i);
      top.push_back(render_token(other, probability));
      rest /= 2;
      probability = rest;
    }
    entry["top_logprobs"] = std::move(top);
    content.push_back(std::move(entry));
  }
  return {{"content", std::move(content)}, {"refusal", nullptr}};
}

std::string_view finish_of(Ending ending) {
  if (ending == Ending::Length) return "length";
  if (ending == Ending::Filter) return "content_filter";
  if (ending == Ending::Error) return "error";
  return "stop";
}

Json render_usage(const Answer& answer) {
  return {{"prompt_tokens", answer.prompt_tokens},
          {"completion_tokens", answer.completion_tokens},
          {"total_tokens", answer.prompt_tokens + answer.completion_tokens}};
}

Json render_envelope(const Ask& ask, const Answer& answer) {
  return {{"id", "chatcmpl-" + answer.id},
          {"object", "chat.completion.chunk"},
          {"created", kCreated},
          {"model", ask.model}};
}

std::string quote(std::string_view text) {
  return render_json(Json(text));
}

// Written out, not built: this one reply is what benchmarks of the engine ask for by the million.
std::string render_whole(const Ask& ask, const Answer& answer) {
  const bool refused = answer.ending == Ending::Refusal;
  const std::string text = quote(answer.text);
  return fmt::format(
      R"({{"id":"chatcmpl-{}","object":"chat.completion","created":{},"model":{},"choices":[{{)"
      R"("index":0,"message":{{"role":"assistant","content":{},"refusal":{}}},)"
      R"("logprobs":{},"finish_reason":"{}"}}],"usage":{{)"
      R"("prompt_tokens":{},"completion_tokens":{},"total_tokens":{}}}}})",
      answer.id, kCreated, quote(ask.model), refused ? "null" : text, refused ? text : "null",
      ask.logprobs == Logprobs::Yes ? render_json(render_logprobs(ask, answer.text)) : "null",
      finish_of(answer.ending), answer.prompt_tokens, answer.completion_tokens,
      answer.prompt_tokens + answer.completion_tokens);
}

LoopbackReply render_stream(const Ask& ask, const Answer& answer) {
  LoopbackReply reply = make_event_stream();
  const Json envelope = render_envelope(ask, answer);
  const auto add = [&](const Json& choices, const Json& usage = nullptr) {
    Json event = envelope;
    event["choices"] = choices;
    if (ask.stream_usage) event["usage"] = usage;
    reply.chunks.push_back({"data: " + render_json(event) + "\n\n"});
  };
  const auto add_choice = [&](const Json& delta, const Json& logprobs, const Json& finish) {
    Json choice = {{"index", 0}, {"delta", delta}, {"logprobs", logprobs}};
    choice["finish_reason"] = finish;
    add(Json::array({std::move(choice)}));
  };
  const char* const member = answer.ending == Ending::Refusal ? "refusal" : "content";
  add_choice({{"role", "assistant"}, {member, ""}}, nullptr, nullptr);
  for (const std::string_view token : split_tokens(answer.text)) {
    const bool wanted = ask.logprobs == Logprobs::Yes;
    add_choice({{member, token}}, wanted ? render_logprobs(ask, token) : Json(), nullptr);
  }
  add_choice(Json::object(), nullptr, finish_of(answer.ending));
  if (ask.stream_usage) add(Json::array(), render_usage(answer));
  reply.chunks.push_back({"data: [DONE]\n\n"});
  return reply;
}

LoopbackReply render(const Ask& ask, const Answer& answer) {
  if (ask.stream) return render_stream(ask, answer);
  return make_json_reply(200, render_whole(ask, answer));
}

struct ErrorNames {
  Json type;
  Json code;
  Json parameter;
};

ErrorNames names_of(const Failure& failure) {
  constexpr const char* kInvalid = "invalid_request_error";
  if (failure.cause == Cause::TooLong) return {kInvalid, "context_length_exceeded", "messages"};
  if (failure.cause == Cause::Key) return {kInvalid, "invalid_api_key", nullptr};
  if (failure.cause == Cause::Model) return {kInvalid, "model_not_found", nullptr};
  if (failure.status == 429) return {"requests", "rate_limit_exceeded", nullptr};
  if (failure.status >= 500) return {"server_error", nullptr, nullptr};
  return {kInvalid, nullptr, nullptr};
}

std::string message_of(const Failure& failure) {
  if (failure.cause == Cause::TooLong)
    return "This model's maximum context length is 8192 tokens. However, your messages resulted in "
           "9000 tokens. Please reduce the length of the messages.";
  return failure.message;
}

LoopbackReply render_failure(const Failure& failure) {
  const ErrorNames names = names_of(failure);
  Json error = {{"message", message_of(failure)}, {"type", names.type}};
  error["param"] = names.parameter;
  error["code"] = names.code;
  return make_json_reply(failure.status, {{"error", std::move(error)}});
}

}  // namespace

const Form kOpenAiForm{takes, read, render, render_failure};

}  // namespace personascope::http::loopback
