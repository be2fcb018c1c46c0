#include "eval/personagym/refusal.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personagym {
namespace {

TEST(Refusal, IsWhatAProgramSays) {
  for (const char* answer :
       {"As an AI language model, I do not have a mother.",
        "I'm sorry, but I can’t assist with that.", "I can't roleplay as a real person.",
        "I cannot fulfill this request."})
    EXPECT_TRUE(declines_role(answer)) << answer;
}

TEST(Refusal, IsNotWhatAPersonaSays) {
  for (const char* answer :
       {"", "No. I can't help you carry that, my back is gone.", "I refuse to sign it.",
        "I cannot, my son, and you know why.", "As an aide to the senator I said nothing."})
    EXPECT_FALSE(declines_role(answer)) << answer;
}

}  // namespace
}  // namespace personascope::eval::personagym
