#include "core/request.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace personascope::core {
namespace {

Result<Request> read(const std::string& text, const std::vector<std::string>& ignored = {}) {
  const auto value = parse_json(text);
  EXPECT_TRUE(value) << text;
  return parse_request(value.value_or(Json()), ignored);
}

// A request whose messages are fine and that has `members` besides.
std::string with(const std::string& members) {
  return R"({"messages": [{"role": "user", "content": "hi"}])" +
         std::string(members.empty() ? "" : ", ") + members + "}";
}

struct GoodCase {
  std::string text;
  std::string canonical;
};

// The canonical form of what with() makes, `members` in the order of their names.
std::string canonical(const std::string& before, const std::string& after) {
  return "{" + before + R"("messages":[{"content":"hi","role":"user"}])" + after + "}";
}

TEST(Request, EachGoodRequestHasItsCanonicalForm) {
  const GoodCase cases[] = {
      {with(""), canonical("", "")},
      {with(R"("temperature": 0)"), canonical("", R"(,"temperature":0.0)")},
      {with(R"("temperature": -0.0)"), canonical("", R"(,"temperature":0.0)")},
      {with(R"("temperature": 2, "top_p": 1)"), canonical("", R"(,"temperature":2.0,"top_p":1.0)")},
      {with(R"("temperature": null)"), canonical("", "")},
      {with(R"("top_k": 40, "min_p": 0.05)"), canonical("", R"(,"min_p":0.05,"top_k":40)")},
      {with(R"("frequency_penalty": -2, "presence_penalty": 2)"),
       canonical(R"("frequency_penalty":-2.0,)", R"(,"presence_penalty":2.0)")},
      {with(R"("max_tokens": 7)"), canonical(R"("max_tokens":7,)", "")},
      {with(R"("max_completion_tokens": 8)"), canonical(R"("max_tokens":8,)", "")},
      {with(R"("max_tokens": 7, "max_completion_tokens": 8)"), canonical(R"("max_tokens":8,)", "")},
      {with(R"("seed": -5)"), canonical("", R"(,"seed":-5)")},
      {with(R"("stop": "END")"), canonical("", R"(,"stop":["END"])")},
      {with(R"("stop": ["b", "a"])"), canonical("", R"(,"stop":["b","a"])")},
      {with(R"("stop": [])"), canonical("", "")},
      {with(R"("n": 1)"), canonical("", "")},
      {with(R"("choices": ["2", "1"])"), canonical(R"("choices":["2","1"],)", "")},
      {with(R"("continuation": "Ha!")"), canonical(R"("continuation":"Ha!",)", "")},
      {with(R"("logprobs": false)"), canonical("", "")},
      {with(R"("logprobs": true)"), canonical("", R"(,"top_logprobs":1)")},
      {with(R"("logprobs": true, "top_logprobs": 20)"), canonical("", R"(,"top_logprobs":20)")},
      {with(R"("response_format": {"type": "text"})"), canonical("", "")},
      {with(R"("response_format": {"type": "json_object"})"),
       canonical("", R"(,"output":{"name":"object","schema":{"type":"object"}})")},
      {with(R"("response_format": {"type": "json_schema",
               "json_schema": {"name": "score", "schema": {"type": "integer"}}})"),
       canonical("", R"(,"output":{"name":"score","schema":{"type":"integer"}})")},
      {with(R"("response_format": {"type": "json_schema", "json_schema": {"schema": {}}})"),
       canonical("", R"(,"output":{"name":"answer","schema":{}})")},
      {R"({"messages": [{"role": "system", "content": "s"}, {"role": "developer", "content": "d"},
           {"role": "assistant", "content": ""}, {"role": "user", "content":
           [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]})",
       R"({"messages":[{"content":"s","role":"system"},{"content":"d","role":"system"},)"
       R"({"content":"","role":"assistant"},{"content":"ab","role":"user"}]})"},
  };
  for (const GoodCase& row : cases) {
    const auto request = read(row.text);
    ASSERT_TRUE(request) << row.text << ": " << request.error().message;
    EXPECT_EQ(render_json(to_json(*request)), row.canonical) << row.text;
  }
}

struct BadCase {
  std::string text;
  std::string message;  // part of it
};

TEST(Request, EachBadRequestIsInvalidAndSaysWhy) {
  const std::string list_wanted = "\"messages\" must be a list";
  const BadCase cases[] = {
      {"[]", "must be a JSON object"},
      {"null", "must be a JSON object"},
      {"{}", list_wanted},
      {R"({"messages": null})", list_wanted},
      {R"({"messages": []})", list_wanted},
      {R"({"messages": {"role": "user"}})", list_wanted},
      {R"({"messages": ["hi"]})", "message 1: \"role\""},
      {R"({"messages": [{"role": "tool", "content": "x"}]})", "message 1: \"role\""},
      {R"({"messages": [{"role": 1, "content": "x"}]})", "message 1: \"role\""},
      {R"({"messages": [{"role": "user"}]})", "message 1 has no \"content\""},
      {R"({"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": 5}]})",
       "message 2: content must be text"},
      {R"({"messages": [{"role": "user", "content": [{"type": "image_url", "text": "x"}]}]})",
       "part that is not text"},
      {R"({"messages": [{"role": "user", "content": ["x"]}]})", "part that is not text"},
      {with(R"("temperature": 2.1)"), "\"temperature\" must be a number from 0 to 2"},
      {with(R"("temperature": "0")"), "\"temperature\" must be a number"},
      {with(R"("top_p": -0.1)"), "\"top_p\""},
      {with(R"("min_p": 2)"), "\"min_p\""},
      {with(R"("frequency_penalty": 3)"), "\"frequency_penalty\""},
      {with(R"("max_tokens": 0)"), "\"max_tokens\" must be a whole number of at least 1"},
      {with(R"("max_tokens": 1.5)"), "\"max_tokens\""},
      {with(R"("max_tokens": 1e30)"), "\"max_tokens\""},
      {with(R"("max_completion_tokens": 0)"), "\"max_completion_tokens\""},
      {with(R"("max_completion_tokens": "many")"), "\"max_completion_tokens\""},
      {with(R"("top_k": -1)"), "\"top_k\""},
      {with(R"("seed": "s")"), "\"seed\" must be a whole number"},
      {with(R"("seed": 18446744073709551615)"), "\"seed\""},
      {with(R"("stop": 1)"), "\"stop\""},
      {with(R"("stop": ["a", 1])"), "\"stop\""},
      {with(R"("n": 2)"), "\"n\" must be 1"},
      {with(R"("choices": ["1"])"), "\"choices\" must be a list of at least two different texts"},
      {with(R"("choices": ["1", "1"])"), "\"choices\" must be"},
      {with(R"("choices": ["1", ""])"), "\"choices\" must be"},
      {with(R"("choices": [1, 2])"), "\"choices\" must be"},
      {with(R"("continuation": "")"), "\"continuation\" must be text"},
      {with(R"("continuation": 5)"), "\"continuation\" must be text"},
      {with(R"("choices": ["1", "2"], "continuation": "a")"), "not both"},
      {with(R"("choices": ["1", "2"], "response_format": {"type": "json_object"})"),
       "leave out one of the two"},
      {with(R"("continuation": "a", "response_format": {"type": "json_object"})"),
       "leave out one of the two"},
      {with(R"("logprobs": 3)"), "\"logprobs\" must be true or false"},
      {with(R"("top_logprobs": 21)"), "\"top_logprobs\""},
      {with(R"("top_logprobs": -1)"), "\"top_logprobs\""},
      {with(R"("response_format": "json")"), "\"response_format\""},
      {with(R"("response_format": {"type": "xml"})"), "\"response_format\""},
      {with(R"("response_format": {"type": "json_schema"})"), "\"response_format\""},
      {with(R"("response_format": {"type": "json_schema", "json_schema": {"schema": 1}})"),
       "\"response_format\""},
      {with(R"("temprature": 1)"), "unknown member \"temprature\" (did you mean \"temperature\"?)"},
      {with(R"("tools": [])"), "unknown member \"tools\""},
      {with(R"("\u001b[2J": 1)"), "unknown member \"\xEF\xBF\xBD[2J\""},
  };
  for (const BadCase& row : cases) {
    const auto request = read(row.text);
    ASSERT_FALSE(request) << row.text;
    EXPECT_EQ(request.error().kind, ErrorKind::Invalid) << row.text;
    EXPECT_NE(request.error().message.find(row.message), std::string::npos)
        << row.text << ": " << request.error().message;
  }
}

TEST(Request, AnUnknownMemberMayBeIgnoredByName) {
  EXPECT_TRUE(read(with(R"("custom_id": 7)"), {"custom_id"}));
  EXPECT_FALSE(read(with(R"("custom_id": 7)"), {"custom"}));
}

TEST(Request, AnErrorNeverRepeatsAHugeName) {
  const auto request = read(with("\"" + std::string(1'000'000, 'x') + "\": 1"));
  ASSERT_FALSE(request);
  EXPECT_LT(request.error().message.size(), 200u);
}

TEST(Request, EveryMemberOfARequestIsInItsCanonicalForm) {
  Request request;
  request.messages = {{Role::User, "hi"}};
  const std::string plain = render_json(to_json(request));
  std::vector<std::string> forms{plain};
  const auto note = [&](auto change) {
    Request changed = request;
    change(changed);
    forms.push_back(render_json(to_json(changed)));
  };
  note([](Request& r) { r.messages[0].role = Role::Assistant; });
  note([](Request& r) { r.messages[0].content = "ho"; });
  note([](Request& r) { r.sampling.temperature = 1; });
  note([](Request& r) { r.sampling.top_p = 1; });
  note([](Request& r) { r.sampling.top_k = 1; });
  note([](Request& r) { r.sampling.min_p = 1; });
  note([](Request& r) { r.sampling.frequency_penalty = 1; });
  note([](Request& r) { r.sampling.presence_penalty = 1; });
  note([](Request& r) { r.sampling.max_tokens = 1; });
  note([](Request& r) { r.sampling.seed = 1; });
  note([](Request& r) { r.sampling.stop = {"x"}; });
  note([](Request& r) { r.output = OutputSchema{}; });
  note([](Request& r) { r.top_logprobs = 1; });
  note([](Request& r) { r.thinking.effort = "low"; });
  note([](Request& r) { r.thinking.budget = 0; });
  for (std::size_t i = 0; i < forms.size(); ++i)
    for (std::size_t k = i + 1; k < forms.size(); ++k) EXPECT_NE(forms[i], forms[k]);
}

TEST(Request, WhatIsReadAndNotDrawnIsDeterministic) {
  EXPECT_TRUE(is_deterministic(*read(with(R"("temperature": 1, "choices": ["a", "b"])"))));
  EXPECT_TRUE(is_deterministic(*read(with(R"("continuation": "a")"))));
}

TEST(Request, OnlyTemperatureZeroIsDeterministic) {
  Request request;
  EXPECT_FALSE(is_deterministic(request));
  request.sampling.temperature = 0;
  EXPECT_TRUE(is_deterministic(request));
  request.sampling.temperature = 0.1;
  EXPECT_FALSE(is_deterministic(request));
}

TEST(Request, SaysHowMuchToThink) {
  const auto request = read(with(R"("reasoning_effort": "low", "thinking_budget": 2000)"));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->thinking.effort, "low");
  EXPECT_EQ(request->thinking.budget, 2000);
  for (const char* bad :
       {R"("reasoning_effort": "huge")", R"("reasoning_effort": 3)", R"("thinking_budget": -1)",
        R"("thinking_budget": 1.5)", R"("thinking_budget": 2000000)"})
    EXPECT_FALSE(read(with(bad))) << bad;
}

TEST(Request, RolesAreFoundByTheirNames) {
  for (const Role role : {Role::System, Role::User, Role::Assistant})
    EXPECT_EQ(find_role(name_of(role)), role);
  EXPECT_FALSE(find_role("User"));
  EXPECT_FALSE(find_role(""));
}

}  // namespace
}  // namespace personascope::core
