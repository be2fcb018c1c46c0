#include "llm/providers/anthropic.hpp"

#include <gtest/gtest.h>

#include "llm/providers/wire_bench.hpp"

namespace personascope::llm {
namespace {

struct Case {
  std::string_view from;
  std::string_view to;
};

// clang-format off
TEST(AnthropicWire, WritesTheBodyOfAMessage) {
  const auto wire = make_anthropic_wire();
  EXPECT_EQ(wire->path("m", Streaming::Yes), "/v1/messages");
  for (const Case& c : {
           Case{R"({"messages": [{"role": "user", "content": "A"}]})",
                R"({"max_tokens":4096,"messages":[{"content":"A","role":"user"}],"model":"m"})"},
           // System messages stand apart; blank ones are left out; the user comes first.
           Case{R"({"messages": [{"role": "system", "content": "S"}, {"role": "assistant", "content": "A"}, {"role": "user", "content": " "},
                                 {"role": "system", "content": "T"}, {"role": "user", "content": "B"}]})",
                R"~({"max_tokens":4096,"messages":[{"content":"(The conversation begins.)","role":"user"},{"content":"A","role":"assistant"},)~"
                R"({"content":"B","role":"user"}],"model":"m","system":"S\n\nT"})"},
           Case{R"({"messages": [{"role": "system", "content": "S"}]})",
                R"~({"max_tokens":4096,"messages":[{"content":"(The conversation begins.)","role":"user"}],"model":"m","system":"S"})~"},
           Case{R"({"messages": [{"role": "user", "content": "A"}], "temperature": 0.5, "top_p": 0.9, "top_k": 4, "max_tokens": 9, "stop": ["X"]})",
                R"({"max_tokens":9,"messages":[{"content":"A","role":"user"}],"model":"m","stop_sequences":["X"],"temperature":0.5,"top_k":4,"top_p":0.9})"},
           // A tool that must be called holds the answer to the schema.
           Case{R"({"messages": [{"role": "user", "content": "A"}], "response_format": {"type": "json_object"}})",
                R"({"max_tokens":4096,"messages":[{"content":"A","role":"user"}],"model":"m","tool_choice":{"name":"object","type":"tool"},)"
                R"("tools":[{"description":"Gives the answer.","input_schema":{"type":"object"},"name":"object"}]})"},
           Case{R"({"messages": [{"role": "user", "content": "A"}], "seed": 1})", "unsupported: Anthropic's API does not know a seed"},
           Case{R"({"messages": [{"role": "user", "content": "A"}], "logprobs": true})", "unsupported: Anthropic's API gives no log-probabilities"},
           Case{R"({"messages": [{"role": "user", "content": "A"}], "min_p": 0.1})", "unsupported: Anthropic's API does not know min_p and the penalties"},
       })
    EXPECT_EQ(render_body(*wire, c.from), c.to);
}

TEST(AnthropicWire, ReadsReplies) {
  const auto wire = make_anthropic_wire();
  for (const Case& c : {
           Case{R"({"model": "claude-x", "content": [{"type": "text", "text": "H"}, {"type": "text", "text": "i"}], "stop_reason": "end_turn",
                    "usage": {"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 1}})",
                R"({"finish":"stop","model":"claude-x","text":"Hi","usage":{"cached_input_tokens":3,"input_tokens":9,"output_tokens":2}})"},
           Case{R"({"content": [{"type": "text", "text": "Well:"}, {"type": "tool_use", "input": {"a": 1}}], "stop_reason": "tool_use"})",
                R"({"finish":"stop","model":"","text":"{\"a\":1}","usage":{}})"},
           Case{R"({"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "H"}], "stop_reason": "max_tokens"})",
                R"({"finish":"length","model":"","text":"H","usage":{}})"},
           Case{R"({"content": [], "stop_reason": "refusal"})", R"({"finish":"refusal","model":"","text":"","usage":{}})"},
           Case{R"({"content": [], "stop_reason": "model_context_window_exceeded"})", R"({"finish":"length","model":"","text":"","usage":{}})"},
           Case{R"({"content": [], "stop_reason": "pause_turn"})", R"({"finish":"other","model":"","text":"","usage":{}})"},
           Case{"{}", "transient: the server's answer is not a message"},
           Case{"[]", "transient: the server's answer is not a message"},
           Case{R"({"content": "Hi"})", "transient: the server's answer is not a message"},
       })
    EXPECT_EQ(read_body(*wire, c.from), c.to);
}

constexpr std::string_view kStream =
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"claude-x\",\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}}\n\n"
    "event: ping\ndata: {\"type\":\"ping\"}\n\n"
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n"
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Grüß\"}}\n\n"
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\" dich\"}}\n\n"
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":4}}\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

TEST(AnthropicStream, ReadsTheSameWhereverTheBytesAreSplit) {
  const auto wire = make_anthropic_wire();
  for (std::size_t cut = 0; cut <= kStream.size(); ++cut) {
    std::string text;
    EXPECT_EQ(read_stream(*wire, kStream, cut, text),
              R"({"finish":"stop","model":"claude-x","text":"Grüß dich","usage":{"input_tokens":7,"output_tokens":4}})") << cut;
    EXPECT_EQ(text, "Grüß dich") << cut;
  }
}

TEST(AnthropicStream, TellsErrorsAndBrokenStreams) {
  const auto wire = make_anthropic_wire();
  for (const Case& c : {
           Case{"data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", "transient: the stream reports: Overloaded"},
           Case{"data: {\"type\":\"error\"}\n\n", "transient: the stream reports: an error"},
           Case{"data: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"Hal\"}}\n\n", "transient: the stream broke off before its end"},
           Case{"", "transient: the stream broke off before its end"},
       }) {
    std::string text;
    EXPECT_EQ(read_stream(*wire, c.from, 0, text), c.to);
  }
}
// clang-format on

}  // namespace
}  // namespace personascope::llm
