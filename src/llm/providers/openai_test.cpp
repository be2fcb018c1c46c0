#include "llm/providers/openai.hpp"

#include <gtest/gtest.h>

#include "llm/providers/wire_bench.hpp"

namespace personascope::llm {
namespace {

struct OpenAiCase {
  std::string_view from;
  std::string_view to;
};

// clang-format off
TEST(OpenAiWire, WritesTheBodyOfAChatCompletion) {
  const auto wire = make_openai_wire({});
  for (const OpenAiCase& c : {
           OpenAiCase{R"({"messages": [{"role": "developer", "content": "S"}, {"role": "user", "content": "A"},
                                 {"role": "assistant", "content": "B"}, {"role": "user", "content": [{"type": "text", "text": "C"}]}]})",
                R"({"messages":[{"content":"S","role":"system"},{"content":"A","role":"user"},{"content":"B","role":"assistant"},{"content":"C","role":"user"}],"model":"m"})"},
           OpenAiCase{R"({"messages": [{"role": "user", "content": "A"}], "temperature": 0, "top_p": 0.5, "frequency_penalty": 1,
                    "presence_penalty": -1, "seed": 7, "max_tokens": 64, "stop": "X", "top_logprobs": 5})",
                R"({"frequency_penalty":1.0,"logprobs":true,"max_tokens":64,"messages":[{"content":"A","role":"user"}],"model":"m",)"
                R"("presence_penalty":-1.0,"seed":7,"stop":["X"],"temperature":0.0,"top_logprobs":5,"top_p":0.5})"},
           // A schema that OpenAI would refuse as strict is not called so.
           OpenAiCase{R"({"messages": [{"role": "user", "content": "A"}], "response_format": {"type": "json_schema", "json_schema": {"name": "n",
                    "schema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}}}})",
                R"({"messages":[{"content":"A","role":"user"}],"model":"m","response_format":{"json_schema":{"name":"n",)"
                R"("schema":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"},"strict":true},"type":"json_schema"}})"},
           OpenAiCase{R"({"messages": [{"role": "user", "content": "A"}], "response_format": {"type": "json_schema", "json_schema": {"name": "n",
                    "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}}})",
                R"({"messages":[{"content":"A","role":"user"}],"model":"m","response_format":{"json_schema":{"name":"n",)"
                R"("schema":{"properties":{"a":{"type":"string"}},"type":"object"},"strict":false},"type":"json_schema"}})"},
           OpenAiCase{R"({"messages": [{"role": "user", "content": "A"}], "response_format": {"type": "json_object"}})",
                R"({"messages":[{"content":"A","role":"user"}],"model":"m","response_format":{"type":"json_object"}})"},
           OpenAiCase{R"({"messages": [{"role": "user", "content": "A"}], "top_k": 4})",
                "unsupported: this provider does not support top_k and min_p"},
       })
    EXPECT_EQ(render_body(*wire, c.from), c.to);
}

TEST(OpenAiWire, FollowsTheDialectOfAServer) {
  const auto wire = make_openai_wire({.path = "/chat", .max_tokens_field = "max_completion_tokens", .output_schema = false, .logprobs = false,
                                      .extra_sampling = true, .seed_field = "random_seed", .stream_options = false});
  EXPECT_EQ(wire->path("m", Streaming::No), "/chat");
  for (const OpenAiCase& c : {
           OpenAiCase{R"({"messages": [{"role": "user", "content": "A"}], "max_tokens": 5, "top_k": 4, "min_p": 0.1, "seed": 3})",
                R"({"max_completion_tokens":5,"messages":[{"content":"A","role":"user"}],"min_p":0.1,"model":"m","random_seed":3,"stream":true,"top_k":4})"},
           OpenAiCase{R"({"messages": [{"role": "user", "content": "A"}], "response_format": {"type": "json_object"}})",
                R"({"messages":[{"content":"A","role":"user"}],"model":"m","stream":true})"},
           OpenAiCase{R"({"messages": [{"role": "user", "content": "A"}], "logprobs": true})",
                "unsupported: this provider gives no log-probabilities"},
       })
    EXPECT_EQ(render_body(*wire, c.from, Streaming::Yes), c.to);
  EXPECT_NE(render_body(*make_openai_wire({}), R"({"messages": [{"role": "user", "content": "A"}]})", Streaming::Yes)
                .find(R"("stream_options":{"include_usage":true})"), std::string::npos);
}

TEST(OpenAiWire, ReadsReplies) {
  const auto wire = make_openai_wire({});
  for (const OpenAiCase& c : {
           OpenAiCase{R"({"model": "gpt-4o-2024", "choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}})",
                R"({"finish":"stop","model":"gpt-4o-2024","text":"Hi","usage":{"cached_input_tokens":4,"input_tokens":9,"output_tokens":2}})"},
           OpenAiCase{R"({"choices": [{"message": {"content": "Hi"}, "finish_reason": "length"}], "usage": null})",
                R"({"finish":"length","model":"","text":"Hi","usage":{}})"},
           OpenAiCase{R"({"choices": [{"message": {"content": null, "refusal": "No."}, "finish_reason": "stop"}]})",
                R"({"finish":"refusal","model":"","text":"No.","usage":{}})"},
           OpenAiCase{R"({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]})",
                R"({"finish":"content_filter","model":"","text":"","usage":{}})"},
           OpenAiCase{R"({"choices": [{"message": {"content": null}, "finish_reason": "length"}]})",
                R"({"finish":"length","model":"","text":"","usage":{}})"},
           // Parts, as models that think aloud send them.
           OpenAiCase{R"({"choices": [{"message": {"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Hi"}]}, "finish_reason": "stop"}]})",
                R"({"finish":"stop","model":"","text":"Hi","usage":{}})"},
           OpenAiCase{R"({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop", "logprobs": {"content": [
                    {"token": "Hi", "logprob": -0.5, "top_logprobs": [{"token": "Yo", "logprob": -1}]}]}}]})",
                R"({"finish":"stop","logprobs":[{"logprob":-0.5,"token":"Hi","top":[{"logprob":-1.0,"token":"Yo"}]}],"model":"","text":"Hi","usage":{}})"},
           // Counts that cannot be are none.
           OpenAiCase{R"({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": -4, "completion_tokens": 9e99}})",
                R"({"finish":"stop","model":"","text":"Hi","usage":{}})"},
       })
    EXPECT_EQ(read_body(*wire, c.from), c.to);
}

TEST(OpenAiWire, TakesAnswersOfAnotherFormForAFaultThatMayPass) {
  const auto wire = make_openai_wire({});
  for (const char* body : {"{}", "[]", "null", "7", R"({"choices": []})", R"({"choices": [{}]})", R"({"choices": {"a": 1}})",
                           R"({"choices": [{"message": {}}]})", R"({"choices": [{"message": {"content": 7}}]})"})
    EXPECT_TRUE(read_body(*wire, body).starts_with("transient: ")) << body;
}

TEST(OpenAiWire, TellsAnErrorThatComesWithStatus200) {
  const auto wire = make_openai_wire({});
  for (const OpenAiCase& c : {
           OpenAiCase{R"({"error": {"code": 402, "message": "Insufficient credits"}})", "unauthorized: the server reports error 402: Insufficient credits"},
           OpenAiCase{R"({"error": {"code": 429, "message": "slow down"}})", "rate_limited: the server reports error 429: slow down"},
           OpenAiCase{R"({"error": {"code": 502, "message": "Provider returned error"}})", "transient: the server reports error 502: Provider returned error"},
           OpenAiCase{R"({"error": "out of memory"})", "transient: the server reports: out of memory"},
           OpenAiCase{R"({"error": {"message": "no such model", "code": "model_not_found"}})", "not_found: the server reports: no such model (model_not_found)"},
           OpenAiCase{R"({"error": {"message": "x", "code": 9}, "choices": [{"message": {"content": null}, "finish_reason": "stop"}]})", "transient: the server reports: x"},
           OpenAiCase{R"({"choices": [{"error": {"code": 503, "message": "down"}, "message": {"content": "half an"}, "finish_reason": "error"}]})", "transient: the server reports error 503: down"},
           OpenAiCase{R"({"choices": [{"message": {"content": "half an"}, "finish_reason": "error"}]})", R"(transient: the server ended the answer early (finish_reason "error"))"},
           OpenAiCase{R"({"error": {"code": 400, "message": "bad temperature"}})", "invalid: the server reports error 400: bad temperature"},
       })
    EXPECT_EQ(read_body(*wire, c.from), c.to) << c.from;
}

TEST(OpenAiWire, TakesAnAnswerWithAnEmptyErrorBesideIt) {
  const auto wire = make_openai_wire({});
  for (const char* error : {"null", R"("")", "{}", "false", R"({"message": "a warning"})"})
    EXPECT_EQ(read_body(*wire, fmt::format(R"({{"error": {}, "choices": [{{"message": {{"content": "Hi"}}, "finish_reason": "stop"}}]}})", error)),
              R"({"finish":"stop","model":"","text":"Hi","usage":{}})") << error;
}

TEST(OpenAiWire, TakesACallOfAToolForNoEmptyAnswer) {
  const auto wire = make_openai_wire({});
  EXPECT_EQ(read_body(*wire, R"({"choices": [{"message": {"content": null, "tool_calls": [{}]}, "finish_reason": "tool_calls"}]})"),
            R"({"finish":"other","model":"","text":"","usage":{}})");
  EXPECT_EQ(read_body(*wire, R"({"choices": [{"message": {"content": null}, "finish_reason": "stop"}]})"),
            R"({"finish":"stop","model":"","text":"","usage":{}})");
}

constexpr std::string_view kOpenAiStream =
    "data: {\"model\":\"gpt-4o-2024\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"Grüß\"},\"logprobs\":{\"content\":[{\"token\":\"G\",\"logprob\":-1}]}}]}\n\n"
    ": keep-alive\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\" dich\"},\"finish_reason\":\"stop\"}]}\r\n\r\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3}}\n\n"
    "data: [DONE]\n\n";

TEST(OpenAiStream, ReadsTheSameWhereverTheBytesAreSplit) {
  const auto wire = make_openai_wire({});
  for (std::size_t cut = 0; cut <= kOpenAiStream.size(); ++cut) {
    std::string text;
    EXPECT_EQ(read_stream(*wire, kOpenAiStream, cut, text),
              R"({"finish":"stop","logprobs":[{"logprob":-1.0,"token":"G"}],"model":"gpt-4o-2024","text":"Grüß dich","usage":{"input_tokens":9,"output_tokens":3}})") << cut;
    EXPECT_EQ(text, "Grüß dich") << cut;
  }
}

TEST(OpenAiStream, TellsRefusalsErrorsAndBrokenStreams) {
  const auto wire = make_openai_wire({});
  for (const OpenAiCase& c : {
           OpenAiCase{"data: {\"choices\":[{\"delta\":{\"refusal\":\"No.\"},\"finish_reason\":\"stop\"}]}\n\n",
                R"({"finish":"refusal","model":"","text":"No.","usage":{}})"},
           OpenAiCase{"data: {\"error\":{\"message\":\"overloaded\"}}\n\n", "transient: the server reports: overloaded"},
           OpenAiCase{"data: {\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}\n\ndata: {\"error\":{\"code\":402,\"message\":\"Insufficient credits\"},\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n\n",
                "unauthorized: the server reports error 402: Insufficient credits"},
           OpenAiCase{"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
                R"({"finish":"other","model":"","text":"","usage":{}})"},
           OpenAiCase{"data: {\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}\n\n", "transient: the stream ended too early"},
           OpenAiCase{"", "transient: the stream ended too early"},
           OpenAiCase{"data: [DONE]\n\n", "transient: the stream ended too early"},
       }) {
    std::string text;
    EXPECT_EQ(read_stream(*wire, c.from, 0, text), c.to);
  }
}
// clang-format on

}  // namespace
}  // namespace personascope::llm
