#include "llm/providers/bedrock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace personascope::llm {
namespace {

using Variables = std::map<std::string, std::string>;

constexpr std::string_view kClaude = "us.anthropic.claude-3-haiku-20240307-v1:0";
constexpr std::string_view kLlama = "us.meta.llama3-1-8b-instruct-v1:0";

// The body for a request written as an OpenAI-style chat request, or the error's message.
std::string body_of(std::string_view request_text, std::string_view model) {
  const auto json = parse_json(request_text);
  if (!json) return "test: " + json.error().message;
  const auto request = core::parse_request(*json, {});
  if (!request) return "test: " + request.error().message;
  const auto body = make_bedrock_wire()->make_body(*request, std::string(model), Streaming::No);
  if (body) return render_json(*body);
  EXPECT_EQ(body.error().kind, ErrorKind::Unsupported);
  return body.error().message;
}

TEST(BedrockWire, WritesTheBodyThatConverseTakes) {
  struct Case {
    std::string_view request;
    std::string_view body;
  };
  // clang-format off
  for (const Case& c : {
           // One question.
           Case{R"({"messages": [{"role": "user", "content": "Hi"}]})",
                R"({"messages":[{"content":[{"text":"Hi"}],"role":"user"}]})"},
           // System messages stand apart, wherever they come.
           Case{R"({"messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "A"},
                                 {"role": "system", "content": "T"}, {"role": "user", "content": "B"}]})",
                R"({"messages":[{"content":[{"text":"A"},{"text":"B"}],"role":"user"}],)"
                R"("system":[{"text":"S"},{"text":"T"}]})"},
           // Turns alternate; a blank one is left out, and its neighbours merge.
           Case{R"({"messages": [{"role": "user", "content": "A"}, {"role": "assistant", "content": " \n"},
                                 {"role": "user", "content": "B"}, {"role": "assistant", "content": "C"},
                                 {"role": "assistant", "content": "D"}]})",
                R"({"messages":[{"content":[{"text":"A"},{"text":"B"}],"role":"user"},)"
                R"({"content":[{"text":"C"},{"text":"D"}],"role":"assistant"}]})"},
           // The user comes first, even where the dialogue has no such turn.
           Case{R"({"messages": [{"role": "assistant", "content": "A"}, {"role": "user", "content": "B"}]})",
                R"~({"messages":[{"content":[{"text":"(The conversation begins.)"}],"role":"user"},)~"
                R"({"content":[{"text":"A"}],"role":"assistant"},{"content":[{"text":"B"}],"role":"user"}]})"},
           Case{R"({"messages": [{"role": "system", "content": "S"}]})",
                R"~({"messages":[{"content":[{"text":"(The conversation begins.)"}],"role":"user"}],)~"
                R"("system":[{"text":"S"}]})"},
           // Sampling.
           Case{R"({"messages": [{"role": "user", "content": "A"}], "temperature": 0, "top_p": 0.5,
                    "max_tokens": 800, "stop": ["X", "Y"], "top_k": 40})",
                R"({"additionalModelRequestFields":{"top_k":40},)"
                R"("inferenceConfig":{"maxTokens":800,"stopSequences":["X","Y"],)"
                R"("temperature":0.0,"topP":0.5},)"
                R"("messages":[{"content":[{"text":"A"}],"role":"user"}]})"},
           // A schema is a tool that must be called.
           Case{R"({"messages": [{"role": "user", "content": "A"}], "response_format":
                    {"type": "json_schema", "json_schema": {"name": "score", "schema": {"type": "object"}}}})",
                R"({"messages":[{"content":[{"text":"A"}],"role":"user"}],)"
                R"("toolConfig":{"toolChoice":{"tool":{"name":"score"}},"tools":[{"toolSpec":)"
                R"({"description":"Gives the answer.","inputSchema":{"json":{"type":"object"}},)"
                R"("name":"score"}}]}})"},
       })
    EXPECT_EQ(body_of(c.request, kClaude), c.body);
  // clang-format on
}

TEST(BedrockWire, LeavesOutASchemaForModelsThatCannotBeMadeToCallATool) {
  EXPECT_EQ(body_of(R"({"messages": [{"role": "user", "content": "A"}], "response_format":
                        {"type": "json_schema", "json_schema": {"name": "score", "schema": {}}}})",
                    kLlama),
            R"({"messages":[{"content":[{"text":"A"}],"role":"user"}]})");
}

TEST(BedrockWire, NamesTheParameterThatConverseDoesNotKnow) {
  struct Case {
    std::string_view member;
    std::string_view model;
    std::string_view name;
  };
  constexpr std::string_view kQuestion = R"("messages": [{"role": "user", "content": "A"}])";
  for (const Case& c : {
           Case{R"("seed": 1)", kClaude, "seed"},
           Case{R"("min_p": 0.1)", kClaude, "min_p"},
           Case{R"("frequency_penalty": 1)", kClaude, "frequency_penalty"},
           Case{R"("presence_penalty": 1)", kClaude, "presence_penalty"},
           Case{R"("logprobs": true, "top_logprobs": 5)", kClaude, "logprobs"},
           Case{R"("top_k": 40)", kLlama, "top_k"},
       })
    EXPECT_EQ(body_of(fmt::format("{{{}, {}}}", kQuestion, c.member), c.model),
              fmt::format("Bedrock's Converse API does not support {} for {}", c.name, c.model));
}

TEST(BedrockWire, PutsTheModelsIdIntoThePath) {
  const auto wire = make_bedrock_wire();
  EXPECT_EQ(wire->path("anthropic.claude-3-sonnet-20240229-v1:0", Streaming::No),
            "/model/anthropic.claude-3-sonnet-20240229-v1%3A0/converse");
  EXPECT_EQ(wire->path("arn:aws:bedrock:us-east-1:1:inference-profile/x", Streaming::No),
            "/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx/converse");
  EXPECT_EQ(wire->make_stream_reader(), nullptr);
}

TEST(BedrockWire, ReadsReplies) {
  struct Case {
    std::string_view body;
    std::string_view reply;  // "finish|input|output|cached|text"
  };
  // clang-format off
  for (const Case& c : {
           Case{R"({"output": {"message": {"role": "assistant", "content": [{"text": "Hello"}]}},
                    "stopReason": "end_turn", "usage": {"inputTokens": 7, "outputTokens": 2, "totalTokens": 9}})",
                "stop|7|2|-|Hello"},
           Case{R"({"output": {"message": {"content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}},
                    {"text": "A"}, {"text": "B"}]}}, "stopReason": "stop_sequence"})",
                "stop|-|-|-|AB"},
           Case{R"({"output": {"message": {"content": [{"text": "I call it."},
                    {"toolUse": {"toolUseId": "1", "name": "score", "input": {"score": 4}}}]}},
                    "stopReason": "tool_use"})",
                R"(stop|-|-|-|{"score":4})"},
           Case{R"({"output": {"message": {"content": []}}, "stopReason": "max_tokens",
                    "usage": {"inputTokens": 5, "outputTokens": 6, "cacheReadInputTokens": 100,
                              "cacheWriteInputTokens": 10}})",
                "length|115|6|100|"},
           Case{R"({"output": {"message": {"content": []}}, "stopReason": "model_context_window_exceeded"})",
                "length|-|-|-|"},
           Case{R"({"output": {"message": {"content": [{"text": "no"}]}}, "stopReason": "guardrail_intervened"})",
                "content_filter|-|-|-|no"},
           Case{R"({"output": {"message": {"content": []}}, "stopReason": "content_filtered"})",
                "content_filter|-|-|-|"},
           Case{R"({"output": {"message": {"content": []}}, "stopReason": "refusal"})",
                "refusal|-|-|-|"},
           Case{R"({"output": {"message": {"content": [1, null, "x", {"text": 5}, {"toolUse": 1}]}},
                    "stopReason": 4, "usage": {"inputTokens": 9223372036854775807, "outputTokens": -1,
                                               "cacheReadInputTokens": 9223372036854775807}})",
                "other|-|-|-|"},
       }) {
    // clang-format on
    const auto json = parse_json(c.body);
    ASSERT_TRUE(json.has_value()) << c.body;
    const auto reply = make_bedrock_wire()->read_reply(*json);
    ASSERT_TRUE(reply.has_value()) << c.body;
    const auto count = [](const std::optional<std::int64_t>& tokens) {
      return tokens ? std::to_string(*tokens) : "-";
    };
    EXPECT_EQ(fmt::format("{}|{}|{}|{}|{}", core::name_of(reply->finish),
                          count(reply->usage.input_tokens), count(reply->usage.output_tokens),
                          count(reply->usage.cached_input_tokens), reply->text),
              c.reply);
  }
}

TEST(BedrockWire, TakesAnAnswerWithoutMessageForAFaultThatMayPass) {
  for (const char* text : {"{}", "[]", "null", R"({"output": {}})", R"({"output": []})",
                           R"({"output": {"message": {"content": "text"}}})"}) {
    const auto reply = make_bedrock_wire()->read_reply(*parse_json(text));
    ASSERT_FALSE(reply.has_value()) << text;
    EXPECT_EQ(reply.error().kind, ErrorKind::Transient) << text;
  }
}

Result<HttpModelSetup> setup_with(Variables variables, std::optional<std::string> base_url = {},
                                  std::string_view model = kClaude) {
  variables.try_emplace("AWS_REGION", "eu-west-1");
  return make_bedrock_setup(std::string(model), files::Environment(std::move(variables)), base_url,
                            {});
}

const Variables kKeys{{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                      {"AWS_SECRET_ACCESS_KEY", "the secret"}};

std::string value_of(const http::Request& request, std::string_view name) {
  const auto header = std::ranges::find(request.headers, name, &http::Header::name);
  return header == request.headers.end() ? "" : header->value;
}

TEST(BedrockSetup, SignsEachRequestAndKeepsItsSecrets) {
  Variables variables = kKeys;
  variables["AWS_SESSION_TOKEN"] = "the token";
  const auto setup = setup_with(variables);
  ASSERT_TRUE(setup.has_value()) << setup.error().message;
  http::Request request;
  request.url = setup->address + "/model/x/converse";
  ASSERT_TRUE(setup->authorize(request).has_value());
  EXPECT_TRUE(
      value_of(request, "Authorization").starts_with("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"));
  EXPECT_NE(value_of(request, "Authorization").find("/eu-west-1/bedrock/aws4_request, "),
            std::string::npos);
  EXPECT_EQ(value_of(request, "X-Amz-Security-Token"), "the token");
  ASSERT_EQ(request.secrets.size(), 2u);
  EXPECT_EQ(request.secrets[0].reveal(), "the secret");
  EXPECT_EQ(request.secrets[1].reveal(), "the token");
}

TEST(BedrockSetup, SendsABearerTokenInsteadOfASignature) {
  Variables variables = kKeys;
  variables["AWS_BEARER_TOKEN_BEDROCK"] = "the bearer";
  const auto setup = setup_with(variables);
  ASSERT_TRUE(setup.has_value()) << setup.error().message;
  http::Request request;
  ASSERT_TRUE(setup->authorize(request).has_value());
  ASSERT_EQ(request.headers.size(), 1u);
  EXPECT_EQ(value_of(request, "Authorization"), "Bearer the bearer");
  ASSERT_EQ(request.secrets.size(), 1u);
  EXPECT_EQ(request.secrets[0].reveal(), "the bearer");
}

TEST(BedrockSetup, NamesTheEndpointWithoutCredentials) {
  const auto own = setup_with(kKeys);
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->endpoint.provider, "bedrock");
  EXPECT_EQ(own->endpoint.model, kClaude);
  EXPECT_EQ(own->endpoint.base_url, "https://bedrock-runtime.eu-west-1.amazonaws.com");
  EXPECT_EQ(own->address, own->endpoint.base_url);
  const auto given = setup_with(kKeys, "http://user:pw@localhost:9000//");
  ASSERT_TRUE(given.has_value());
  EXPECT_EQ(given->endpoint.base_url, "http://localhost:9000");
  EXPECT_EQ(given->address, "http://user:pw@localhost:9000");
}

TEST(BedrockSetup, SaysWhichModelsHoldToASchema) {
  EXPECT_TRUE(setup_with(kKeys)->features.output_schema);
  EXPECT_TRUE(setup_with(kKeys, {}, "us.amazon.nova-lite-v1:0")->features.output_schema);
  EXPECT_FALSE(setup_with(kKeys, {}, kLlama)->features.output_schema);
  EXPECT_FALSE(setup_with(kKeys)->features.logprobs);
}

TEST(BedrockSetup, FailsWithoutKeysOrWithAnAddressThatIsNoUrl) {
  const auto no_keys = setup_with({});
  ASSERT_FALSE(no_keys.has_value());
  EXPECT_EQ(no_keys.error().kind, ErrorKind::Unauthorized);
  const auto no_url = setup_with(kKeys, "user:pw@localhost");
  ASSERT_FALSE(no_url.has_value());
  EXPECT_EQ(no_url.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(no_url.error().message,
            "the base URL \"localhost\" must start with http:// or https://");
}

TEST(BedrockModelId, KnowsPersonaLensNamesAndLeavesOthersAlone) {
  EXPECT_EQ(bedrock_model_id("claude-3-sonnet-v1"), "anthropic.claude-3-sonnet-20240229-v1:0");
  EXPECT_EQ(bedrock_model_id("mixtral-8x7b-instruct-v1"), "mistral.mixtral-8x7b-instruct-v0:1");
  EXPECT_EQ(bedrock_model_id(kLlama), kLlama);
  EXPECT_EQ(bedrock_model_id(""), "");
}

}  // namespace
}  // namespace personascope::llm
