// The forms of reply, as the provider gives them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/text.hpp"
#include "http/testing/provider_exchange.hpp"

namespace personascope::http {
namespace {

std::string join_chunks(const LoopbackReply& reply) {
  std::string text;
  for (const LoopbackChunk& chunk : reply.chunks) text += chunk.bytes;
  return text;
}

// The events' data, without OpenAI's last.
std::vector<Json> read_events(const LoopbackReply& reply) {
  std::vector<Json> events;
  const std::string text = join_chunks(reply);
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with("data: {")) events.push_back(parse_json(line.substr(6)).value());
  return events;
}

const Json kSchema = parse_json(R"({"type":"object","properties":{
    "score":{"type":"integer","minimum":1,"maximum":5},
    "label":{"enum":["yes","no"]},
    "share":{"type":"number","minimum":0.5,"maximum":1},
    "reasons":{"type":"array","items":{"$ref":"#/$defs/reason"},"minItems":2},
    "sure":{"type":["boolean","null"]}},
    "$defs":{"reason":{"type":"object","properties":{"text":{"type":"string"}}}}})")
                         .value();

void expect_fits(const Json& value) {
  EXPECT_GE(value.at("score"), 1);
  EXPECT_LE(value.at("score"), 5);
  EXPECT_TRUE(value.at("label") == "yes" || value.at("label") == "no");
  EXPECT_EQ(value.at("share"), 1);
  EXPECT_EQ(value.at("reasons").size(), 2);
  EXPECT_TRUE(value.at("reasons")[1].at("text").is_string());
  EXPECT_TRUE(value.at("sure").is_boolean());
}

TEST(LoopbackForm, AnswersInOpenAisForm) {
  const Json reply = read(ask(kOpenAi, "hello"));
  const Json& choice = reply.at("choices")[0];
  const std::string text = choice.at("message").at("content");
  EXPECT_TRUE(text.starts_with("answer "));
  EXPECT_EQ(choice.at("finish_reason"), "stop");
  EXPECT_EQ(reply.at("model"), "m");
  EXPECT_EQ(reply.at("usage").at("completion_tokens"), (text.size() + 3) / 4);
  EXPECT_EQ(read(ask(kOpenAi, "hello")), reply);
  EXPECT_NE(read(ask(kOpenAi, "hallo")).at("choices"), reply.at("choices"));
}

TEST(LoopbackForm, AnswersInAnthropicsForm) {
  const Json reply = read(ask(kAnthropic, "hello"));
  EXPECT_EQ(reply.at("type"), "message");
  EXPECT_EQ(reply.at("content")[0].at("type"), "text");
  EXPECT_EQ(reply.at("stop_reason"), "end_turn");
  EXPECT_GT(reply.at("usage").at("output_tokens"), 0);
}

TEST(LoopbackForm, AnswersInBedrocksForm) {
  const Json reply = read(ask(kBedrock, "hello"));
  EXPECT_EQ(reply.at("output").at("message").at("role"), "assistant");
  EXPECT_TRUE(reply.at("output").at("message").at("content")[0].contains("text"));
  EXPECT_EQ(reply.at("stopReason"), "end_turn");
  EXPECT_GT(reply.at("usage").at("totalTokens"), 0);
}

TEST(LoopbackForm, StreamsWhatItWouldSayAtOnce) {
  Json body = make_body("hello");
  const Json whole = read(post(kOpenAi, body));
  body["stream"] = true;
  body["stream_options"] = {{"include_usage", true}};
  const LoopbackReply reply = post(kOpenAi, body);
  std::string text;
  const auto events = read_events(reply);
  for (const Json& event : events)
    if (!event.at("choices").empty())
      text += event.at("choices")[0].at("delta").value("content", "");
  EXPECT_EQ(text, whole.at("choices")[0].at("message").at("content"));
  EXPECT_EQ(events.back().at("usage"), whole.at("usage"));
  EXPECT_TRUE(join_chunks(reply).ends_with("data: [DONE]\n\n"));
  EXPECT_EQ(header_of(reply, "Content-Type"), "text/event-stream");
}

TEST(LoopbackForm, StreamsAnthropicsEvents) {
  Json body = make_body("hello");
  const Json whole = read(post(kAnthropic, body));
  body["stream"] = true;
  std::string text, types;
  for (const Json& event : read_events(post(kAnthropic, body))) {
    if (event.at("type") == "content_block_delta")
      text += event.at("delta").at("text");
    else
      types += event.at("type").get<std::string>() + " ";
  }
  EXPECT_EQ(text, whole.at("content")[0].at("text"));
  EXPECT_EQ(
      types,
      "message_start content_block_start ping content_block_stop message_delta message_stop ");
}

TEST(LoopbackForm, GivesLogprobsThatFitTheText) {
  Json body = make_body("[[say 4 of 5]]");
  body["logprobs"] = true;
  body["top_logprobs"] = 5;
  const Json reply = read(post(kOpenAi, body));
  const Json& content = reply.at("choices")[0].at("logprobs").at("content");
  std::string text;
  for (const Json& token : content) {
    text += token.at("token");
    double sum = 0;
    for (const Json& top : token.at("top_logprobs"))
      sum += std::exp(top.at("logprob").get<double>());
    EXPECT_EQ(token.at("top_logprobs").size(), 5);
    EXPECT_LE(sum, 1);
  }
  EXPECT_EQ(text, "4 of 5");
  EXPECT_EQ(content[0].at("top_logprobs")[1].at("token"), "5");
}

TEST(LoopbackForm, FitsASchemaInEveryForm) {
  Json body = make_body("hello");
  body["response_format"] = {{"type", "json_schema"}, {"json_schema", {{"schema", kSchema}}}};
  const Json openai = read(post(kOpenAi, body));
  expect_fits(
      parse_json(openai.at("choices")[0].at("message").at("content").get<std::string>()).value());

  body = make_body("hello");
  body["tools"] = Json::array({{{"name", "other"}}, {{"name", "t"}, {"input_schema", kSchema}}});
  body["tool_choice"] = {{"type", "tool"}, {"name", "t"}};
  const Json anthropic = read(post(kAnthropic, body));
  EXPECT_EQ(anthropic.at("stop_reason"), "tool_use");
  EXPECT_EQ(anthropic.at("content")[0].at("name"), "t");
  expect_fits(anthropic.at("content")[0].at("input"));

  body = make_body("hello");
  body["toolConfig"] = {
      {"tools", {{{"toolSpec", {{"name", "t"}, {"inputSchema", {{"json", kSchema}}}}}}}},
      {"toolChoice", {{"tool", {{"name", "t"}}}}}};
  const Json bedrock = read(post(kBedrock, body));
  EXPECT_EQ(bedrock.at("stopReason"), "tool_use");
  expect_fits(bedrock.at("output").at("message").at("content")[0].at("toolUse").at("input"));
}

TEST(LoopbackForm, EndsAnswersInEachProvidersWay) {
  const auto openai = [](const char* prompt) { return read(ask(kOpenAi, prompt))["choices"][0]; };
  EXPECT_TRUE(openai("[[refuse]]").at("message").at("refusal").is_string());
  EXPECT_TRUE(openai("[[refuse]]").at("message").at("content").is_null());
  EXPECT_EQ(openai("[[filter]]").at("finish_reason"), "content_filter");
  EXPECT_EQ(openai("[[length]]").at("finish_reason"), "length");
  EXPECT_EQ(read(ask(kAnthropic, "[[refuse]]")).at("stop_reason"), "refusal");
  EXPECT_EQ(read(ask(kAnthropic, "[[length]]")).at("stop_reason"), "max_tokens");
  EXPECT_EQ(ask(kAnthropic, "[[filter]]").status, 400);
  EXPECT_EQ(read(ask(kBedrock, "[[filter]]")).at("stopReason"), "guardrail_intervened");
  EXPECT_EQ(read(ask(kBedrock, "[[length]]")).at("stopReason"), "max_tokens");
}

TEST(LoopbackForm, FailsInEachProvidersForm) {
  const LoopbackReply openai = ask(kOpenAi, "[[too-long]]");
  EXPECT_EQ(openai.status, 400);
  EXPECT_EQ(read(openai).at("error").at("code"), "context_length_exceeded");
  const LoopbackReply anthropic = ask(kAnthropic, "[[status 529]]");
  EXPECT_EQ(anthropic.status, 529);
  EXPECT_EQ(read(anthropic).at("error").at("type"), "overloaded_error");
  EXPECT_EQ(read(ask(kAnthropic, "[[too-long]]")).at("error").at("message"),
            "prompt is too long: 250000 tokens > 200000 maximum");
  const LoopbackReply bedrock = ask(kBedrock, "[[status 429]]");
  EXPECT_EQ(header_of(bedrock, "x-amzn-ErrorType"), "ThrottlingException");
  EXPECT_EQ(read(ask(kBedrock, "[[too-long]]")).at("message"),
            "Input is too long for requested model.");
}

}  // namespace
}  // namespace personascope::http
