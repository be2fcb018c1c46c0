#include "llm/providers/anthropic.hpp"

#include <gtest/gtest.h>

#include "llm/providers/wire_bench.hpp"

namespace personascope::llm {
namespace {

struct AnthropicCase {
  std::string_view from;
  std::string_view to;
};

// clang-format off
TEST(AnthropicWire, WritesTheBodyOfAMessage) {
  const auto wire = make_anthropic_wire();
  EXPECT_EQ(wire->path("m", Streaming::Yes), "/v1/messages");
  for (const AnthropicCase& c : {
           AnthropicCase{R"({"messages": [{"role": "user", "content": "A"}]})",
                R"({"max_tokens":4096,"messages":[{"content":"A","role":"user"}],"model":"m"})"},
           // System messages stand apart; blank ones are left out; the user comes first.
           AnthropicCase{R"({"messages": [{"role": "system", "content": "S"}, {"role": "assistant", "content": "A"}, {"role": "user", "content": " "},
                                 {"role": "system", "content": "T"}, {"role": "user", "content": "B"}]})",
                R"~({"max_tokens":4096,"messages":[{"content":"(The conversation begins.)","role":"user"},{"content":"A","role":"assistant"},)~"
                R"({"content":"B","role":"user"}],"model":"m","system":"S\n\nT"})"},
           AnthropicCase{R"({"messages": [{"role": "system", "content": "S"}]})",
                R"~({"max_tokens":4096,"messages":[{"content":"(The conversation begins.)","role":"user"}],"model":"m","system":"S"})~"},
           AnthropicCase{R"({"messages": [{"role": "user", "content": "A"}], "temperature": 0.5, "top_p": 0.9, "top_k": 4, "max_tokens": 9, "stop": ["X"]})",
                R"({"max_tokens":9,"messages":[{"content":"A","role":"user"}],"model":"m","stop_sequences":["X"],"temperature":0.5,"top_k":4,"top_p":0.9})"},
           // A tool that must be called holds the answer to the schema.
           AnthropicCase{R"({"messages": [{"role": "user", "content": "A"}], "response_format": {"type": "json_object"}})",
                R"({"max_tokens":4096,"messages":[{"content":"A","role":"user"}],"model":"m","tool_choice":{"name":"object","type":"tool"},)"
                R"("tools":[{"description":"Gives the answer.","input_schema":{"type":"object"},"name":"object"}]})"},
           AnthropicCase{R"({"messages": [{"role": "user", "content": "A"}], "seed": 1})", "unsupported: Anthropic's API does not support a seed"},
           AnthropicCase{R"({"messages": [{"role": "user", "content": "A"}], "logprobs": true})", "unsupported: Anthropic's API gives no log-probabilities"},
           AnthropicCase{R"({"messages": [{"role": "user", "content": "A"}], "min_p": 0.1})", "unsupported: Anthropic's API does not support min_p and the penalties"},
       })
    EXPECT_EQ(render_body(*wire, c.from), c.to);
}

TEST(AnthropicWire, ReadsReplies) {
  const auto wire = make_anthropic_wire();
  for (const AnthropicCase& c : {
           AnthropicCase{R"({"model": "claude-x", "content": [{"type": "text", "text": "H"}, {"type": "text", "text": "i"}], "stop_reason": "end_turn",
                    "usage": {"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 1}})",
                R"({"finish":"stop","model":"claude-x","text":"Hi","usage":{"cached_input_tokens":3,"input_tokens":9,"output_tokens":2}})"},
           AnthropicCase{R"({"content": [{"type": "text", "text": "Well:"}, {"type": "tool_use", "input": {"a": 1}}], "stop_reason": "tool_use"})",
                R"({"finish":"stop","model":"","text":"{\"a\":1}","usage":{}})"},
           AnthropicCase{R"({"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "H"}], "stop_reason": "max_tokens"})",
                R"({"finish":"length","model":"","text":"H","thinking":"hm","usage":{}})"},
           AnthropicCase{R"({"content": [], "stop_reason": "refusal"})", R"({"finish":"refusal","model":"","text":"","usage":{}})"},
           AnthropicCase{R"({"content": [], "stop_reason": "model_context_window_exceeded"})", R"({"finish":"length","model":"","text":"","usage":{}})"},
           AnthropicCase{R"({"content": [], "stop_reason": "pause_turn"})", R"({"finish":"other","model":"","text":"","usage":{}})"},
           AnthropicCase{"{}", "transient: the server's answer is not a message"},
           AnthropicCase{"[]", "transient: the server's answer is not a message"},
           AnthropicCase{R"({"content": "Hi"})", "transient: the server's answer is not a message"},
       })
    EXPECT_EQ(read_body(*wire, c.from), c.to);
}

constexpr std::string_view kAnthropicStream =
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"claude-x\",\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}}\n\n"
    "event: ping\ndata: {\"type\":\"ping\"}\n\n"
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n"
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Grüß\"}}\n\n"
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\" dich\"}}\n\n"
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":4}}\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

TEST(AnthropicStream, ReadsTheSameWhereverTheBytesAreSplit) {
  const auto wire = make_anthropic_wire();
  for (std::size_t cut = 0; cut <= kAnthropicStream.size(); ++cut) {
    std::string text;
    EXPECT_EQ(read_stream(*wire, kAnthropicStream, cut, text),
              R"({"finish":"stop","model":"claude-x","text":"Grüß dich","thinking":"hm","usage":{"input_tokens":7,"output_tokens":4}})") << cut;
    EXPECT_EQ(text, "Grüß dich") << cut;
  }
}

TEST(AnthropicStream, TellsErrorsAndBrokenStreams) {
  const auto wire = make_anthropic_wire();
  for (const AnthropicCase& c : {
           AnthropicCase{"data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", "rate_limited: the server reports: Overloaded"},
           AnthropicCase{"data: {\"type\":\"error\"}\n\n", "transient: the server reports: an error"},
           AnthropicCase{"data: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"Hal\"}}\n\n", "transient: the stream ended too early"},
           AnthropicCase{"", "transient: the stream ended too early"},
       }) {
    std::string text;
    EXPECT_EQ(read_stream(*wire, c.from, 0, text), c.to);
  }
}
// clang-format on

}  // namespace
}  // namespace personascope::llm
