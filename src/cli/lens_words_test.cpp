#include "cli/lens_words.hpp"

#include <gtest/gtest.h>

namespace personascope::cli {
namespace {

using Words = std::vector<std::string>;

TEST(LensWords, ThePublishedSpellingsBecomeOurs) {
  const std::pair<Words, Words> cases[] = {
      {{"lens", "generate", "-s3"}, {"lens", "generate", "--sample=30"}},
      {{"lens", "generate", "-s10", "-si"}, {"lens", "generate", "--sample=100", "--situation"}},
      {{"lens", "generate", "-s4"}, {"lens", "generate", "--s4"}},  // refused
      {{"lens", "generate", "-start_index", "3"}, {"lens", "generate", "--start_index", "3"}},
      {{"lens", "generate", "-start_index=3"}, {"lens", "generate", "--start_index=3"}},
      {{"lens", "generate_dialogue", "-s", "3"}, {"lens", "generate", "-s", "3"}},
      {{"lens", "generate_dialogue_md", "-d"}, {"lens", "generate", "--multi_domain", "-d"}},
      {{"lens", "evaluate_dialogue", "-md"}, {"lens", "evaluate", "--multi_domain"}},
      {{"lens", "evaluate", "-a", "-sample_50"},
       {"lens", "evaluate", "--side=assistant", "--sample=50"}},
      {{"lens", "gather", "-a"}, {"lens", "gather", "-a"}},
      {{"lens", "gather_evaluation", "-f", "_user"},
       {"lens", "gather", "--single-domain", "-f", "_user"}},
      {{"lens", "gather_evaluation", "-md"}, {"lens", "gather", "--multi_domain"}},
  };
  for (const auto& [words, expected] : cases) EXPECT_EQ(rewrite_lens_words(words), expected);
}

TEST(LensWords, EverythingElseStaysAsItIs) {
  const Words cases[] = {{},
                         {"lens"},
                         {"gym", "run", "-s3"},
                         {"lens", "generate", "--start_index", "3"},
                         {"lens", "generate", "-d", "-p", "-x", "-start"},
                         {"lens", "run", "--model", "a/-s3x"}};
  for (const Words& words : cases) EXPECT_EQ(rewrite_lens_words(words), words);
}

}  // namespace
}  // namespace personascope::cli
