#include "llm/thinking.hpp"

#include <gtest/gtest.h>

namespace personascope::llm {
namespace {

core::Reply split_text(std::string text) {
  core::Reply reply;
  reply.text = std::move(text);
  split_thinking(reply);
  return reply;
}

TEST(Thinking, IsCutFromTheStartOfTheText) {
  struct Case {
    std::string text;
    std::string answer;
    std::string thinking;
  };
  for (const Case& c : {
           Case{"<think>hm</think>Yes.", "Yes.", "hm"},
           Case{"\n <think>\nhm\n</think>\n\nYes.\n", "Yes.\n", "hm"},
           Case{"<think></think>Yes.", "Yes.", ""},
           Case{"<think>cut off", "", "cut off"},
           Case{"Yes <think>no</think>.", "Yes <think>no</think>.", ""},
           Case{"<thinking>x</thinking>", "<thinking>x</thinking>", ""},
           Case{"<think>a</think><think>b</think>c", "<think>b</think>c", "a"},
           Case{"hm\n</think>\n\nYes.", "Yes.", "hm"},
           Case{"</think>Yes.", "Yes.", ""},
           Case{"", "", ""},
       }) {
    const core::Reply reply = split_text(c.text);
    EXPECT_EQ(reply.text, c.answer) << c.text;
    EXPECT_EQ(reply.thinking, c.thinking) << c.text;
  }
}

TEST(Thinking, TakesItsTokensAlong) {
  core::Reply reply;
  reply.text = "<think>3?</think>\n\n4";
  for (const char* token : {"<think>", "3", "?", "</think>", "\n\n", "4"})
    reply.logprobs.push_back({{token, -1}, {}});
  split_thinking(reply);
  ASSERT_EQ(reply.logprobs.size(), 1u);
  EXPECT_EQ(reply.logprobs[0].chosen.token, "4");
}

TEST(Thinking, IsFilteredFromAStreamCutAnywhere) {
  for (const std::string text : {"<think>hm </thin k> </think>\n\nYes, <think> too.", "Yes.",
                                 "<think>never", "<think>a</think>", "<b>bold</b>"}) {
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      ThinkingFilter filter;
      std::string shown = filter.feed(text.substr(0, cut));
      shown += filter.feed(text.substr(cut));
      EXPECT_EQ(shown, split_text(text).text) << text << " cut at " << cut;
    }
  }
}

TEST(Thinking, GetsRoomByBudgetOrEffort) {
  core::Request request;
  EXPECT_EQ(thinking_room(request), 0);
  EXPECT_FALSE(wants_thinking(request));
  request.thinking.effort = "low";
  EXPECT_EQ(thinking_room(request), 1024);
  request.thinking.effort = "high";
  EXPECT_GT(thinking_room(request), 4096);
  request.thinking.budget = 100;
  EXPECT_EQ(thinking_room(request), 1024);
  request.thinking.budget = 5000;
  EXPECT_EQ(thinking_room(request), 5000);
  EXPECT_TRUE(wants_thinking(request));
  request.thinking.effort = "none";
  EXPECT_FALSE(wants_thinking(request));
}

}  // namespace
}  // namespace personascope::llm
