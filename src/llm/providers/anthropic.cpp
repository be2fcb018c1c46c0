#include "llm/providers/anthropic.hpp"

#include "base/text.hpp"
#include "llm/providers/http_error.hpp"
#include "llm/providers/model_traits.hpp"
#include "llm/thinking.hpp"

namespace personascope::llm {
namespace {

// The API demands a limit; this is the most that every model of the family accepts.
constexpr std::int64_t kDefaultMaxTokens = 4096;

constexpr std::string_view kTool = "Gives the answer.";
// A model that cannot be forced to call the tool must know that it is to be called.
constexpr std::string_view kToolToCall = "Gives the answer. Always call it.";

core::FinishReason read_anthropic_finish(const std::string& reason) {
  if (reason == "end_turn" || reason == "stop_sequence" || reason == "tool_use")
    return core::FinishReason::Stop;
  if (reason == "max_tokens" || reason == "model_context_window_exceeded")
    return core::FinishReason::Length;
  if (reason == "refusal") return core::FinishReason::Refusal;
  return core::FinishReason::Other;
}

// Cached input is counted apart from the rest, so the whole is their sum.
void read_usage(const Json* usage, core::Usage& result) {
  if (const auto input = find_count(usage, "input_tokens")) {
    const std::int64_t cached = find_count(usage, "cache_read_input_tokens").value_or(0);
    const std::int64_t written = find_count(usage, "cache_creation_input_tokens").value_or(0);
    result.input_tokens = *input + cached + written;
    if (cached > 0) result.cached_input_tokens = cached;
  }
  if (const auto output = find_count(usage, "output_tokens")) result.output_tokens = *output;
}

// System messages go into a field of their own; the rest begins with the user. A blank message is
// left out: it says nothing, and the API refuses blank text.
void add_messages(const std::vector<core::Message>& messages, Json& body) {
  Json& turns = body["messages"];
  std::string system;
  for (const core::Message& message : messages) {
    if (trim(message.content).empty()) continue;
    if (message.role == core::Role::System) {
      if (!system.empty()) system += "\n\n";
      system += message.content;
      continue;
    }
    if (turns.empty() && message.role == core::Role::Assistant)
      turns.push_back({{"role", "user"}, {"content", kOpening}});
    turns.push_back({{"role", core::name_of(message.role)}, {"content", message.content}});
  }
  if (turns.empty()) turns.push_back({{"role", "user"}, {"content", kOpening}});
  if (!system.empty()) body["system"] = system;
}

class AnthropicStreamReader : public StreamReader {
 public:
  Result<void> read(const Json& data,
                    const std::function<void(std::string_view)>& on_text) override {
    const std::string type = find_text(data, "type").value_or("");
    if (type == "error") {
      const Json* error = find_member(data, "error");
      return std::unexpected(read_reported_error(error ? *error : Json("an error")));
    }
    if (const Json* message = find_member(data, "message")) {
      reply_.model = find_text(*message, "model").value_or("");
      read_usage(find_member(*message, "usage"), reply_.usage);
    }
    read_usage(find_member(data, "usage"), reply_.usage);
    if (const Json* delta = find_member(data, "delta")) {
      auto text = find_text(*delta, "text");
      if (!text) text = find_text(*delta, "partial_json");
      if (text) {
        on_text(*text);
        reply_.text += *text;
      }
      reply_.thinking += find_text(*delta, "thinking").value_or("");
      if (const auto reason = find_text(*delta, "stop_reason")) {
        reply_.finish = read_anthropic_finish(*reason);
        finished_ = true;
      }
    }
    return {};
  }

  Result<core::Reply> finish() override {
    if (!finished_) return fail(ErrorKind::Transient, "the stream ended too early");
    return std::move(reply_);
  }

 private:
  core::Reply reply_;
  bool finished_ = false;
};

class AnthropicWire : public Wire {
 public:
  std::string path(const std::string&, Streaming) const override { return "/v1/messages"; }

  Result<Json> make_body(const core::Request& request, const std::string& model,
                         Streaming streaming) const override {
    const core::Sampling& sampling = request.sampling;
    if (request.top_logprobs > 0)
      return fail(ErrorKind::Unsupported, "Anthropic's API gives no log-probabilities");
    if (sampling.min_p || sampling.frequency_penalty || sampling.presence_penalty)
      return fail(ErrorKind::Unsupported,
                  "Anthropic's API does not support min_p and the penalties");
    if (sampling.seed)
      return fail(ErrorKind::Unsupported, "Anthropic's API does not support a seed");
    const ModelTraits traits = traits_of(model);
    Json body = make_claude_thinking(request, traits);
    const bool thinks = !body.empty();
    body["model"] = model;
    body["max_tokens"] = sampling.max_tokens.value_or(kDefaultMaxTokens) + thinking_room(request);
    body["messages"] = Json::array();
    add_messages(request.messages, body);
    // A model that thinks takes none of these.
    if (traits.sampling && !thinks) {
      if (sampling.temperature) body["temperature"] = *sampling.temperature;
      if (sampling.top_p && !(traits.one_randomness && sampling.temperature))
        body["top_p"] = *sampling.top_p;
      if (sampling.top_k) body["top_k"] = *sampling.top_k;
    }
    if (!sampling.stop.empty()) body["stop_sequences"] = sampling.stop;
    if (request.output) {
      // A tool that must be called is how every model of the family holds to a schema.
      body["tools"] = Json::array({{{"name", request.output->name},
                                    {"description", thinks ? kToolToCall : kTool},
                                    {"input_schema", request.output->schema}}});
      // Where it thinks, it cannot be forced; the answer is checked in any case.
      if (thinks)
        body["tool_choice"] = {{"type", "auto"}};
      else
        body["tool_choice"] = {{"type", "tool"}, {"name", request.output->name}};
    }
    if (streaming == Streaming::Yes) body["stream"] = true;
    return body;
  }

  Result<core::Reply> read_reply(const Json& body) const override {
    const Json* content = find_member(body, "content");
    if (!content || !content->is_array()) {
      if (const Json* error = find_member(body, "error"))
        return std::unexpected(read_reported_error(*error));
      return fail(ErrorKind::Transient, "the server's answer is not a message");
    }
    core::Reply reply;
    reply.model = find_text(body, "model").value_or("");
    reply.finish = read_anthropic_finish(find_text(body, "stop_reason").value_or(""));
    read_usage(find_member(body, "usage"), reply.usage);
    for (const Json& block : *content) {
      const std::string type = find_text(block, "type").value_or("");
      if (type == "thinking") reply.thinking += find_text(block, "thinking").value_or("");
      if (type == "text") reply.text += find_text(block, "text").value_or("");
      if (const Json* input = find_member(block, "input"); input && type == "tool_use")
        reply.text = render_json(*input);
    }
    return reply;
  }

  std::unique_ptr<StreamReader> make_stream_reader() const override {
    return std::make_unique<AnthropicStreamReader>();
  }
};

}  // namespace

std::unique_ptr<Wire> make_anthropic_wire() {
  return std::make_unique<AnthropicWire>();
}

}  // namespace personascope::llm
