#include "llm/providers/bedrock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "llm/providers/aws_credentials.hpp"
#include "llm/providers/model_traits.hpp"
#include "llm/providers/sigv4.hpp"
#include "llm/thinking.hpp"

namespace personascope::llm {
namespace {

struct ShortName {
  std::string_view name;
  std::string_view id;
};

constexpr std::array kShortNames{
    ShortName{"claude-3-haiku-v1", "us.anthropic.claude-3-haiku-20240307-v1:0"},
    ShortName{"claude-3-sonnet-v1", "anthropic.claude-3-sonnet-20240229-v1:0"},
    ShortName{"claude-3-5-haiku-v1", "us.anthropic.claude-3-5-haiku-20241022-v1:0"},
    ShortName{"claude-3-5-sonnet-v2", "us.anthropic.claude-3-5-sonnet-20241022-v2:0"},
    ShortName{"llama-3-1-8b-instruct-v1", "us.meta.llama3-1-8b-instruct-v1:0"},
    ShortName{"llama-3-1-70b-instruct-v1", "us.meta.llama3-1-70b-instruct-v1:0"},
    ShortName{"mistral-7b-instruct-v2", "mistral.mistral-7b-instruct-v0:2"},
    ShortName{"mixtral-8x7b-instruct-v1", "mistral.mixtral-8x7b-instruct-v0:1"},
};

// Ids may have a region before the maker ("us.anthropic.claude…") or be a whole ARN.
bool is_made_by_anthropic(std::string_view model) {
  return model.find("anthropic.") != std::string_view::npos;
}

// The families that can be made to call a certain tool; the others answer such a request with 400.
bool can_force_tool(std::string_view model) {
  return is_made_by_anthropic(model) || model.find("amazon.nova") != std::string_view::npos;
}

// The families that can be told how much to think, each in its own words.
bool can_think(std::string_view model) {
  if (is_made_by_anthropic(model)) return traits_of(model).thinks;
  return model.find("openai.gpt-oss") != std::string_view::npos ||
         model.find("amazon.nova-2") != std::string_view::npos;
}

// Fields beyond Converse's own that tell the model how much to think.
Json make_thinking_fields(const core::Request& request, std::string_view model) {
  if (is_made_by_anthropic(model)) return make_claude_thinking(request, traits_of(model));
  const auto& effort = request.thinking.effort;
  if (!effort || *effort == "none") return Json::object();
  if (model.find("openai.gpt-oss") != std::string_view::npos)
    return {{"reasoning_effort", *effort == "minimal" ? "low" : *effort}};
  if (model.find("amazon.nova-2") != std::string_view::npos)
    return {
        {"reasoningConfig",
         {{"type", "enabled"}, {"maxReasoningEffort", *effort == "minimal" ? "low" : *effort}}}};
  return Json::object();
}

// The parameter that Converse has no field for, if the request sets one.
std::string_view find_unsupported(const core::Request& request, std::string_view model) {
  const core::Sampling& sampling = request.sampling;
  if (request.top_logprobs > 0) return "logprobs";
  if (sampling.seed) return "seed";
  if (sampling.min_p) return "min_p";
  if (sampling.frequency_penalty) return "frequency_penalty";
  if (sampling.presence_penalty) return "presence_penalty";
  if (sampling.top_k && !is_made_by_anthropic(model)) return "top_k";
  return "";
}

Json make_text_block(std::string_view text) {
  return {{"text", text}};
}

// Converse takes turns that alternate, the user's first. Messages of one role in a row become the
// blocks of one turn. A blank message is left out: it says nothing, and the API refuses blank text.
Json make_turns(const std::vector<core::Message>& messages) {
  Json turns = Json::array();
  const auto add = [&turns](core::Role role, std::string_view text) {
    if (turns.empty() || turns.back()["role"] != core::name_of(role))
      turns.push_back({{"role", core::name_of(role)}, {"content", Json::array()}});
    turns.back()["content"].push_back(make_text_block(text));
  };
  for (const core::Message& message : messages) {
    if (message.role == core::Role::System || trim(message.content).empty()) continue;
    if (turns.empty() && message.role == core::Role::Assistant) add(core::Role::User, kOpening);
    add(message.role, message.content);
  }
  if (turns.empty()) add(core::Role::User, kOpening);
  return turns;
}

Json make_system_blocks(const std::vector<core::Message>& messages) {
  Json blocks = Json::array();
  for (const core::Message& message : messages)
    if (message.role == core::Role::System && !trim(message.content).empty())
      blocks.push_back(make_text_block(message.content));
  return blocks;
}

Json make_inference_config(const core::Request& request, std::string_view model, bool thinks) {
  const core::Sampling& sampling = request.sampling;
  const ModelTraits traits = traits_of(model);
  Json config = Json::object();
  if (sampling.max_tokens) config["maxTokens"] = *sampling.max_tokens + thinking_room(request);
  if (traits.sampling && !(thinks && is_made_by_anthropic(model))) {
    if (sampling.temperature) config["temperature"] = *sampling.temperature;
    if (sampling.top_p && !(traits.one_randomness && sampling.temperature))
      config["topP"] = *sampling.top_p;
  }
  if (!sampling.stop.empty()) config["stopSequences"] = sampling.stop;
  return config;
}

// A tool that must be called is how a model here holds to a schema.
Json make_tool_config(const core::OutputSchema& output, bool thinks) {
  const Json tool = {
      {"toolSpec",
       {{"name", output.name},
        {"description", thinks ? "Gives the answer. Always call it." : "Gives the answer."},
        {"inputSchema", {{"json", output.schema}}}}}};
  Json choice = {{"tool", {{"name", output.name}}}};
  if (thinks) choice = {{"auto", Json::object()}};  // it cannot be forced then
  return {{"tools", Json::array({tool})}, {"toolChoice", std::move(choice)}};
}

core::FinishReason read_bedrock_finish(std::string_view reason) {
  if (reason == "end_turn" || reason == "stop_sequence" || reason == "tool_use")
    return core::FinishReason::Stop;
  if (reason == "max_tokens" || reason == "model_context_window_exceeded")
    return core::FinishReason::Length;
  if (reason == "guardrail_intervened" || reason == "content_filtered")
    return core::FinishReason::ContentFilter;
  if (reason == "refusal") return core::FinishReason::Refusal;
  return core::FinishReason::Other;
}

// Input read from the cache or written to it is counted apart from the rest, so the whole is their
// sum.
core::Usage read_usage(const Json* usage) {
  core::Usage result{find_count(usage, "inputTokens"), find_count(usage, "outputTokens"),
                     find_count(usage, "cacheReadInputTokens")};
  if (result.input_tokens)
    *result.input_tokens += result.cached_input_tokens.value_or(0) +
                            find_count(usage, "cacheWriteInputTokens").value_or(0);
  return result;
}

std::string read_thinking(const Json& block) {
  const Json* content = find_member(block, "reasoningContent");
  const Json* inner = content ? find_member(*content, "reasoningText") : nullptr;
  return inner ? find_text(*inner, "text").value_or("") : "";
}

class BedrockWire : public Wire {
 public:
  std::string path(const std::string& model, Streaming) const override {
    return fmt::format("/model/{}/converse", percent_encode(model));
  }

  Result<Json> make_body(const core::Request& request, const std::string& model,
                         Streaming) const override {
    if (const std::string_view name = find_unsupported(request, model); !name.empty())
      return fail(ErrorKind::Unsupported, "Bedrock's Converse API does not support {} for {}", name,
                  printable(shorten(model, 120)));
    Json body = {{"messages", make_turns(request.messages)}};
    if (Json system = make_system_blocks(request.messages); !system.empty())
      body["system"] = std::move(system);
    Json fields = make_thinking_fields(request, model);
    const bool thinks = !fields.empty();
    if (Json config = make_inference_config(request, model, thinks); !config.empty())
      body["inferenceConfig"] = std::move(config);
    if (request.sampling.top_k && !thinks && traits_of(model).sampling)
      fields["top_k"] = *request.sampling.top_k;
    if (!fields.empty()) body["additionalModelRequestFields"] = std::move(fields);
    // Other models get the request without it: their features say that they hold to no schema.
    if (request.output && can_force_tool(model))
      body["toolConfig"] = make_tool_config(*request.output, thinks);
    return body;
  }

  Result<core::Reply> read_reply(const Json& body) const override {
    const Json* output = find_member(body, "output");
    const Json* message = output ? find_member(*output, "message") : nullptr;
    const Json* content = message ? find_member(*message, "content") : nullptr;
    if (!content || !content->is_array())
      return fail(ErrorKind::Transient, "the server's answer is not a Converse message");
    core::Reply reply;
    reply.finish = read_bedrock_finish(find_text(body, "stopReason").value_or(""));
    reply.usage = read_usage(find_member(body, "usage"));
    const Json* input = nullptr;
    for (const Json& block : *content) {
      reply.text += find_text(block, "text").value_or("");
      reply.thinking += read_thinking(block);
      if (const Json* use = find_member(block, "toolUse")) input = find_member(*use, "input");
    }
    if (input) reply.text = render_json(*input);
    return reply;
  }

  std::unique_ptr<StreamReader> make_stream_reader() const override { return nullptr; }
};

Authorize make_signature(AwsCredentials credentials, std::string region) {
  return [credentials = std::move(credentials), scope = SigningScope{std::move(region), "bedrock"}](
             http::Request& request) -> Result<void> {
    auto added = sign(request, credentials, scope, std::chrono::system_clock::now());
    std::ranges::move(added, std::back_inserter(request.headers));
    request.secrets.push_back(credentials.secret_key);
    if (!credentials.session_token.empty()) request.secrets.push_back(credentials.session_token);
    return {};
  };
}

}  // namespace

std::unique_ptr<Wire> make_bedrock_wire() {
  return std::make_unique<BedrockWire>();
}

Result<HttpModelSetup> make_bedrock_setup(const std::string& model,
                                          const files::Environment& environment,
                                          const std::optional<std::string>& base_url,
                                          const http::Timeouts& timeouts,
                                          const std::optional<std::string>& region) {
  ASSIGN_OR_RETURN(AwsAccess access, load_aws_access(environment, region));
  HttpModelSetup setup;
  if (base_url) {
    setup.address = *base_url;
  } else {
    ASSIGN_OR_RETURN(setup.address, find_bedrock_address(environment, access.region));
  }
  while (setup.address.ends_with('/')) setup.address.pop_back();
  if (!setup.address.starts_with("http://") && !setup.address.starts_with("https://"))
    return fail(ErrorKind::Invalid, "the base URL \"{}\" must start with http:// or https://",
                printable(without_credentials(setup.address)));
  setup.endpoint = {"bedrock", without_credentials(setup.address), model, ""};
  setup.features = {
      .output_schema = can_force_tool(model), .logprobs = false, .thinking = can_think(model)};
  setup.timeouts = timeouts;
  setup.authorize =
      access.bearer_token.empty()
          ? make_signature(std::move(access.credentials), std::move(access.region))
          : make_key_header("Authorization", "Bearer ", std::move(access.bearer_token));
  return setup;
}

std::string bedrock_model_id(std::string_view name) {
  const auto row = std::ranges::find(kShortNames, name, &ShortName::name);
  return std::string(row == kShortNames.end() ? name : row->id);
}

}  // namespace personascope::llm
