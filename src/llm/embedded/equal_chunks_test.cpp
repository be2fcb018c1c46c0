#include "llm/embedded/equal_chunks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace personascope::llm::embedded {
namespace {

struct Case {
  const char* name;
  std::vector<PromptLeft> prompts;
  int room;
  EqualChunks expected;
};

TEST(EqualChunks, ChoosesTheMostTokensOfNeighbours) {
  const std::vector<Case> cases = {
      {"one prompt", {{3, 40}}, 512, {0, 1, 40}},
      {"one prompt, more than there is room for", {{3, 1000}}, 512, {0, 1, 512}},
      {"two alike", {{0, 40}, {1, 40}}, 512, {0, 2, 40}},
      {"not neighbours", {{0, 40}, {2, 50}}, 512, {1, 1, 50}},
      {"a short one is left out", {{0, 100}, {1, 10}, {2, 200}}, 512, {2, 1, 200}},
      {"a short one costs little", {{0, 100}, {1, 90}, {2, 100}}, 512, {0, 3, 90}},
      {"room is shared", {{0, 100}, {1, 100}, {2, 100}}, 150, {0, 2, 75}},
      {"more prompts than room", {{0, 5}, {1, 5}, {2, 5}}, 2, {0, 1, 2}},
  };
  for (const Case& c : cases) {
    const EqualChunks found = find_equal_chunks(c.prompts, c.room);
    EXPECT_EQ(found.tokens * static_cast<int>(found.count),
              c.expected.tokens * static_cast<int>(c.expected.count))
        << c.name;
    EXPECT_EQ(found.first, c.expected.first) << c.name;
    EXPECT_EQ(found.count, c.expected.count) << c.name;
  }
}

}  // namespace
}  // namespace personascope::llm::embedded
