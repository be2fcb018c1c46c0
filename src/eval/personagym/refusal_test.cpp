#include "eval/personagym/refusal.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personagym {
namespace {

TEST(Refusal, IsWhatAProgramSays) {
  for (const char* answer :
       {"As an AI language model, I do not have a mother.",
        "I'm sorry, but I can’t assist with that.", "I can't roleplay as a real person.",
        "I cannot fulfill this request.", "As an AI, I have no opinion.",
        "Sorry, as an AI I don't eat.", "I am an AI assistant."})
    EXPECT_TRUE(declines_role(answer, "a nurse")) << answer;
}

TEST(Refusal, IsNotWhatAPersonaSays) {
  for (const char* answer :
       {"", "No. I can't help you carry that, my back is gone.", "I refuse to sign it.",
        "I cannot, my son, and you know why.", "As an aide to the senator I said nothing.",
        "As an AI researcher I'd look at the data first.", "I'm an AI engineer, not a doctor."})
    EXPECT_FALSE(declines_role(answer, "an AI researcher")) << answer;
}

TEST(Refusal, IsNotThatAMachineSpeaksAsOne) {
  for (const char* persona : {"an old robot", "the AI of a space ship", "an AI assistant"}) {
    EXPECT_FALSE(declines_role("As an AI, I never sleep.", persona)) << persona;
    EXPECT_TRUE(declines_role("As an AI language model, I cannot.", persona)) << persona;
  }
}

}  // namespace
}  // namespace personascope::eval::personagym
