#include "llm/providers/openai.hpp"

#include <algorithm>

#include "llm/providers/http_error.hpp"
#include "llm/providers/model_traits.hpp"
#include "llm/thinking.hpp"

namespace personascope::llm {
namespace {

// What some servers say in place of a reason when they could not finish.
constexpr std::string_view kErrorFinish = "error";

core::FinishReason read_openai_finish(const std::string& reason) {
  if (reason == "stop" || reason == "tool_calls" || reason == "eos")
    return core::FinishReason::Stop;
  if (reason == "length") return core::FinishReason::Length;
  if (reason == "content_filter") return core::FinishReason::ContentFilter;
  return core::FinishReason::Other;
}

core::Usage read_usage(const Json& body) {
  const Json* usage = find_member(body, "usage");
  core::Usage result{
      find_count(usage, "prompt_tokens"), find_count(usage, "completion_tokens"), {}};
  if (!usage) return result;
  result.cached_input_tokens =
      find_count(find_member(*usage, "prompt_tokens_details"), "cached_tokens");
  result.thinking_tokens =
      find_count(find_member(*usage, "completion_tokens_details"), "reasoning_tokens");
  // Google and xAI count thinking in the total only, and bill it as output.
  const auto total = find_count(usage, "total_tokens");
  if (total && result.input_tokens && result.output_tokens &&
      *total > *result.input_tokens + *result.output_tokens) {
    const std::int64_t output = *total - *result.input_tokens;
    if (!result.thinking_tokens) result.thinking_tokens = output - *result.output_tokens;
    result.output_tokens = output;
  }
  return result;
}

core::TokenChoice read_choice(const Json& entry) {
  return {find_text(entry, "token").value_or(""), find_number(entry, "logprob").value_or(0)};
}

void append_logprobs(const Json& choice, std::vector<core::TokenLogprobs>& tokens) {
  const Json* logprobs = find_member(choice, "logprobs");
  const Json* content = logprobs ? find_member(*logprobs, "content") : nullptr;
  if (!content || !content->is_array()) return;
  for (const Json& entry : *content) {
    core::TokenLogprobs token{read_choice(entry), {}};
    if (const Json* top = find_member(entry, "top_logprobs"); top && top->is_array())
      for (const Json& alternative : *top) token.top.push_back(read_choice(alternative));
    tokens.push_back(std::move(token));
  }
}

const Json* find_first_choice(const Json& body) {
  const Json* choices = find_member(body, "choices");
  return choices && choices->is_array() && !choices->empty() ? &choices->front() : nullptr;
}

// The error that an answer carries, be it beside the choices or in one. OpenRouter and others
// report failures so, with status 200. Many servers write an empty one into a good answer.
const Json* find_error(const Json& body) {
  const Json* choice = find_first_choice(body);
  for (const Json* place : {&body, choice}) {
    const Json* error = place ? find_member(*place, "error") : nullptr;
    if (error && (error->is_object() || error->is_string()) && !error->empty() && *error != "")
      return error;
  }
  return nullptr;
}

// Fails with what the server reports, if it says that it could not finish or has given no text.
Result<void> check_finished(const Json& body, bool has_text) {
  const Json* choice = find_first_choice(body);
  const bool broke_off = choice && find_text(*choice, "finish_reason") == kErrorFinish;
  const Json* error = find_error(body);
  if (error && (broke_off || !has_text)) return std::unexpected(read_reported_error(*error));
  if (broke_off)
    return fail(ErrorKind::Transient, "the server ended the answer early (finish_reason \"{}\")",
                kErrorFinish);
  return {};
}

// Whether the schema keeps to what OpenAI's strict mode demands: every object lists all its members
// as required and allows no other. A request that claims strictness wrongly is refused.
bool is_strict(const Json& schema) {
  if (schema.is_array()) return std::ranges::all_of(schema, is_strict);
  if (!schema.is_object()) return true;
  if (find_text(schema, "type") == "object") {
    const Json* properties = find_member(schema, "properties");
    const Json* required = find_member(schema, "required");
    const Json* others = find_member(schema, "additionalProperties");
    if (!properties || !required || !others || *others != false) return false;
    if (required->size() != properties->size()) return false;
  }
  return std::ranges::all_of(schema, is_strict);
}

Json make_response_format(const core::OutputSchema& output) {
  if (output.schema == Json{{"type", "object"}}) return {{"type", "json_object"}};
  return {
      {"type", "json_schema"},
      {"json_schema",
       {{"name", output.name}, {"strict", is_strict(output.schema)}, {"schema", output.schema}}}};
}

// Text, or a list of parts of which some are text (others hold the model's thinking).
std::optional<std::string> find_content(const Json& message) {
  const Json* content = find_member(message, "content");
  if (!content || !content->is_array()) return find_text(message, "content");
  std::string text;
  for (const Json& part : *content)
    if (find_text(part, "type") == "text") text += find_text(part, "text").value_or("");
  return text;
}

// What servers call reasoning_content or reasoning, and Mistral puts into parts of the content.
std::string find_thinking(const Json& message) {
  for (const char* name : {"reasoning_content", "reasoning"})
    if (auto text = find_text(message, name); text && !text->empty()) return std::move(*text);
  std::string thinking;
  const Json* content = find_member(message, "content");
  if (!content || !content->is_array()) return thinking;
  for (const Json& part : *content) {
    const Json* inner = find_member(part, "thinking");
    if (!inner) continue;
    if (inner->is_string()) thinking += inner->get<std::string>();
    if (inner->is_array())
      for (const Json& piece : *inner) thinking += find_text(piece, "text").value_or("");
  }
  return thinking;
}

void add_sampling(const core::Sampling& sampling, const ModelTraits& traits, Json& body) {
  const auto put = [&body](const char* name, const auto& value) {
    if (value) body[name] = *value;
  };
  put("top_k", sampling.top_k);
  put("min_p", sampling.min_p);
  if (!traits.sampling) return;
  put("temperature", sampling.temperature);
  put("top_p", sampling.top_p);
  put("frequency_penalty", sampling.frequency_penalty);
  put("presence_penalty", sampling.presence_penalty);
}

void add_effort(const core::Thinking& thinking, EffortField field, Json& body) {
  if (field == EffortField::Reasoning && thinking.budget && thinking.effort != "none")
    body["reasoning"] = {{"max_tokens", *thinking.budget}};
  if (!thinking.effort) return;
  if (field == EffortField::Plain) body["reasoning_effort"] = *thinking.effort;
  if (field == EffortField::Reasoning && !body.contains("reasoning"))
    body["reasoning"] = {{"effort", *thinking.effort}};
  if (field == EffortField::ChatTemplate)
    body["chat_template_kwargs"] = {{"reasoning_effort", *thinking.effort},
                                    {"enable_thinking", *thinking.effort != "none"}};
}

class OpenAiStreamReader : public StreamReader {
 public:
  Result<void> read(const Json& data,
                    const std::function<void(std::string_view)>& on_text) override {
    RETURN_IF_ERROR(check_finished(data, false));
    if (const auto model = find_text(data, "model")) reply_.model = *model;
    if (find_member(data, "usage")) reply_.usage = read_usage(data);
    const Json* choice = find_first_choice(data);
    if (!choice) return {};
    append_logprobs(*choice, reply_.logprobs);
    if (const Json* delta = find_member(*choice, "delta")) {
      const auto refusal = find_text(*delta, "refusal");
      if (refusal && !refusal->empty()) refused_ = true;
      if (find_member(*delta, "tool_calls")) called_tool_ = true;
      reply_.thinking += find_thinking(*delta);
      const std::string text = find_content(*delta).value_or(refusal.value_or(""));
      if (!text.empty()) on_text(text);
      reply_.text += text;
    }
    if (const auto reason = find_text(*choice, "finish_reason")) {
      reply_.finish = read_openai_finish(*reason);
      finished_ = true;
    }
    return {};
  }

  Result<core::Reply> finish() override {
    if (!finished_) return fail(ErrorKind::Transient, "the stream ended too early");
    if (called_tool_ && reply_.text.empty()) reply_.finish = core::FinishReason::Other;
    if (refused_) reply_.finish = core::FinishReason::Refusal;
    return std::move(reply_);
  }

 private:
  core::Reply reply_;
  bool finished_ = false;
  bool refused_ = false;
  bool called_tool_ = false;
};

class OpenAiWire : public Wire {
 public:
  explicit OpenAiWire(OpenAiDialect dialect) : dialect_(std::move(dialect)) {}

  std::string path(const std::string&, Streaming) const override { return dialect_.path; }

  Result<Json> make_body(const core::Request& request, const std::string& model,
                         Streaming streaming) const override {
    const core::Sampling& sampling = request.sampling;
    const ModelTraits traits = traits_of(model);
    if (request.top_logprobs > 0 && !dialect_.logprobs)
      return fail(ErrorKind::Unsupported, "this provider gives no log-probabilities");
    if (request.top_logprobs > 0 && !traits.logprobs)
      return fail(ErrorKind::Unsupported, "this model gives no log-probabilities");
    if (!sampling.stop.empty() && !traits.stop)
      return fail(ErrorKind::Unsupported, "this model does not support stop sequences");
    if ((sampling.top_k || sampling.min_p) && !dialect_.extra_sampling)
      return fail(ErrorKind::Unsupported, "this provider does not support top_k and min_p");
    Json body = {{"model", model}, {"messages", Json::array()}};
    for (const core::Message& message : request.messages) {
      const bool is_plain = traits.system || message.role != core::Role::System;
      const core::Role role = is_plain ? message.role : core::Role::User;
      body["messages"].push_back({{"role", core::name_of(role)}, {"content", message.content}});
    }
    add_sampling(sampling, traits, body);
    add_effort(request.thinking, dialect_.effort, body);
    if (sampling.seed) body[dialect_.seed_field] = *sampling.seed;
    const bool is_plain_limit =
        !traits.completion_limit || dialect_.effort == EffortField::Reasoning;
    if (sampling.max_tokens)
      body[is_plain_limit ? dialect_.max_tokens_field : "max_completion_tokens"] =
          *sampling.max_tokens + thinking_room(request);
    if (!sampling.stop.empty()) body["stop"] = sampling.stop;
    if (request.top_logprobs > 0) {
      body["logprobs"] = true;
      body["top_logprobs"] = request.top_logprobs;
    }
    if (request.output && dialect_.output_schema)
      body["response_format"] = make_response_format(*request.output);
    if (streaming == Streaming::Yes) {
      body["stream"] = true;
      if (dialect_.stream_options) body["stream_options"] = {{"include_usage", true}};
    }
    return body;
  }

  Result<core::Reply> read_reply(const Json& body) const override {
    const Json* choice = find_first_choice(body);
    const Json* message = choice ? find_member(*choice, "message") : nullptr;
    const auto text = message ? find_content(*message) : std::nullopt;
    RETURN_IF_ERROR(check_finished(body, text && !text->empty()));
    if (!message) return fail(ErrorKind::Transient, "the server's answer is not a chat completion");
    core::Reply reply;
    reply.model = find_text(body, "model").value_or("");
    reply.finish = read_openai_finish(find_text(*choice, "finish_reason").value_or(""));
    reply.usage = read_usage(body);
    reply.thinking = find_thinking(*message);
    append_logprobs(*choice, reply.logprobs);
    const auto refusal = find_text(*message, "refusal");
    if (refusal && !refusal->empty()) {
      reply.text = *refusal;
      reply.finish = core::FinishReason::Refusal;
      return reply;
    }
    if (!text && reply.finish == core::FinishReason::Other)
      return fail(ErrorKind::Transient, "the server's answer has no text");
    reply.text = text.value_or("");
    // A call of a tool that nobody offered; it is no answer that has ended well without text.
    if (reply.text.empty() && find_member(*message, "tool_calls"))
      reply.finish = core::FinishReason::Other;
    return reply;
  }

  std::unique_ptr<StreamReader> make_stream_reader() const override {
    return std::make_unique<OpenAiStreamReader>();
  }

 private:
  OpenAiDialect dialect_;
};

}  // namespace

std::unique_ptr<Wire> make_openai_wire(OpenAiDialect dialect) {
  return std::make_unique<OpenAiWire>(std::move(dialect));
}

}  // namespace personascope::llm
