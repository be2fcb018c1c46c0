#include "llm/providers/model_traits.hpp"

#include <gtest/gtest.h>

#include "llm/providers/anthropic.hpp"
#include "llm/providers/bedrock.hpp"
#include "llm/providers/openai.hpp"

namespace personascope::llm {
namespace {

constexpr std::string_view kRequest =
    R"({"messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "A"}],
        "temperature": 0, "top_p": 0.9, "max_tokens": 64)";

// The body that is sent to the model for that request with further members.
Json body_for(const Wire& wire, const std::string& model, const std::string& more = "") {
  const auto json = parse_json(std::string(kRequest) + more + "}");
  const auto request = core::parse_request(*json, {});
  const auto body = wire.make_body(*request, model, Streaming::No);
  return body ? *body : Json(body.error().message);
}

TEST(ModelTraits, OpenAisReasoningModelsGetNothingThatTheyRefuse) {
  const auto wire = make_openai_wire({.effort = EffortField::Plain});
  for (const char* model : {"o1", "o3-mini", "o4-mini-2025-04-16", "gpt-5", "gpt-5-nano", "gpt-5.1",
                            "openai/o3", "GPT-5"}) {
    const Json body = body_for(*wire, model);
    EXPECT_FALSE(body.contains("temperature")) << model;
    EXPECT_FALSE(body.contains("top_p")) << model;
    EXPECT_FALSE(body.contains("max_tokens")) << model;
    EXPECT_EQ(body["max_completion_tokens"], 64) << model;
    EXPECT_EQ(body["messages"][0]["role"], "system") << model;
    EXPECT_FALSE(traits_of(model).logprobs) << model;
  }
  for (const char* model :
       {"gpt-4o", "gpt-4.1", "gpt-5-chat-latest", "o365", "llama-3", "gpt-oss"}) {
    const Json body = body_for(*wire, model);
    EXPECT_EQ(body["temperature"], 0) << model;
    EXPECT_EQ(body["max_tokens"], 64) << model;
    EXPECT_TRUE(traits_of(model).logprobs) << model;
  }
  EXPECT_EQ(body_for(*wire, "o1-mini")["messages"][0]["role"], "user");
  EXPECT_EQ(body_for(*wire, "gpt-5", R"(, "stop": "X")"),
            "this model does not support stop sequences");
}

TEST(ModelTraits, OnlyModelsThatThinkCanBeToldHowMuch) {
  for (const char* model :
       {"gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-3.5-turbo", "gpt-5-chat-latest", "o1-mini",
        "claude-3-5-sonnet-20241022", "claude-3-opus-20240229", "deepseek-reasoner"})
    EXPECT_FALSE(traits_of(model).thinks) << model;
  for (const char* model :
       {"o3", "gpt-5", "gpt-oss-120b", "claude-3-7-sonnet-20250219", "claude-sonnet-4-20250514",
        "us.anthropic.claude-opus-4-1-20250805-v1:0", "my-model"})
    EXPECT_TRUE(traits_of(model).thinks) << model;
}

TEST(ModelTraits, EffortGoesWhereTheServerLooksForIt) {
  const std::string effort = R"(, "reasoning_effort": "low")";
  const Json plain = body_for(*make_openai_wire({.effort = EffortField::Plain}), "o3", effort);
  EXPECT_EQ(plain["reasoning_effort"], "low");
  EXPECT_EQ(plain["max_completion_tokens"], 64 + 1024) << "thinking counts against the limit";
  const auto router = make_openai_wire({.effort = EffortField::Reasoning});
  EXPECT_EQ(body_for(*router, "x/y", effort)["reasoning"], Json({{"effort", "low"}}));
  EXPECT_EQ(body_for(*router, "x/y", effort + R"(, "thinking_budget": 2000)")["reasoning"],
            Json({{"max_tokens", 2000}}));
  const auto server = make_openai_wire({.effort = EffortField::ChatTemplate});
  EXPECT_EQ(body_for(*server, "m", effort)["chat_template_kwargs"]["reasoning_effort"], "low");
  EXPECT_FALSE(body_for(*make_openai_wire({}), "m", effort).contains("reasoning_effort"));
}

TEST(ModelTraits, ClaudesAreToldInTheWayOfTheirVersion) {
  const auto wire = make_anthropic_wire();
  const std::string effort = R"(, "reasoning_effort": "medium")";
  const std::string budget = R"(, "thinking_budget": 2000)";
  const Json older = body_for(*wire, "claude-sonnet-4-5-20250929", effort);
  EXPECT_EQ(older["thinking"], Json({{"type", "enabled"}, {"budget_tokens", 4096}}));
  EXPECT_EQ(older["max_tokens"], 64 + 4096);
  EXPECT_FALSE(older.contains("temperature"));
  EXPECT_EQ(body_for(*wire, "claude-3-7-sonnet-20250219", budget)["thinking"]["budget_tokens"],
            2000);
  const Json newer = body_for(*wire, "claude-opus-4-6", effort);
  EXPECT_EQ(newer["thinking"], Json({{"type", "adaptive"}}));
  EXPECT_EQ(newer["output_config"], Json({{"effort", "medium"}}));
  EXPECT_EQ(body_for(*wire, "claude-opus-4-6", budget)["thinking"]["budget_tokens"], 2000);
  EXPECT_EQ(body_for(*wire, "claude-opus-4-7", budget)["output_config"], Json({{"effort", "low"}}));
  EXPECT_FALSE(body_for(*wire, "claude-opus-4-7").contains("temperature"));
  EXPECT_FALSE(body_for(*wire, "claude-sonnet-4-5").contains("top_p")) << "temperature or top_p";
  EXPECT_TRUE(body_for(*wire, "claude-3-5-sonnet-20241022").contains("top_p"));
  EXPECT_FALSE(
      body_for(*wire, "claude-opus-4-6", R"(, "reasoning_effort": "none")").contains("thinking"));
  // A model that thinks cannot be forced to call a tool.
  const std::string schema = R"(, "response_format": {"type": "json_object"})";
  EXPECT_EQ(body_for(*wire, "claude-sonnet-4-5", effort + schema)["tool_choice"]["type"], "auto");
}

TEST(ModelTraits, BedrockPassesThemOn) {
  const auto wire = make_bedrock_wire();
  const std::string effort = R"(, "reasoning_effort": "low")";
  const Json claude = body_for(*wire, "us.anthropic.claude-sonnet-4-5-20250929-v1:0", effort);
  EXPECT_EQ(claude["additionalModelRequestFields"]["thinking"]["budget_tokens"], 1024);
  EXPECT_EQ(claude["inferenceConfig"], Json({{"maxTokens", 64 + 1024}}));
  const Json oss = body_for(*wire, "openai.gpt-oss-120b-1:0", effort);
  EXPECT_EQ(oss["additionalModelRequestFields"], Json({{"reasoning_effort", "low"}}));
  const auto reply = wire->read_reply(Json::parse(
      R"({"output": {"message": {"content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}},
          {"text": "Yes."}]}}, "stopReason": "end_turn"})"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "Yes.");
  EXPECT_EQ(reply->thinking, "hm");
}

TEST(ModelTraits, ThinkingIsReadApartFromTheAnswer) {
  const auto wire = make_openai_wire({});
  for (
      const char* message :
      {R"({"content": "Yes.", "reasoning_content": "hm"})",
       R"({"content": "Yes.", "reasoning": "hm"})",
       R"({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Yes."}]})"}) {
    const auto reply = wire->read_reply(
        {{"choices", Json::array({{{"message", Json::parse(message)}, {"finish_reason", "stop"}}})},
         {"usage",
          {{"prompt_tokens", 5},
           {"completion_tokens", 30},
           {"completion_tokens_details", {{"reasoning_tokens", 20}}}}}});
    ASSERT_TRUE(reply) << message;
    EXPECT_EQ(reply->text, "Yes.");
    EXPECT_EQ(reply->thinking, "hm");
    EXPECT_EQ(reply->usage.thinking_tokens, 20);
    EXPECT_EQ(reply->usage.output_tokens, 30);
  }
  // Some count it in the total only.
  const auto reply = wire->read_reply(Json::parse(
      R"({"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}],
          "usage": {"prompt_tokens": 5, "completion_tokens": 10, "total_tokens": 45}})"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->usage.output_tokens, 40);
  EXPECT_EQ(reply->usage.thinking_tokens, 30);
}

}  // namespace
}  // namespace personascope::llm
