#include "eval/personagym/line_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace personascope::eval::personagym {
namespace {

TEST(LineUp, FewPersonasShareOneWithTheOthersToFillUp) {
  const auto line_ups = make_line_ups({"a", "b", "c", "d"}, 2, 0);
  ASSERT_EQ(line_ups.size(), 2u);
  EXPECT_EQ(line_ups[0], (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(line_ups[1], line_ups[0]);
}

TEST(LineUp, GroupsAreEachOthersCandidates) {
  std::vector<std::string> texts;
  for (int i = 0; i < 23; ++i) texts.push_back("persona number " + std::to_string(i));
  const auto line_ups = make_line_ups(texts, texts.size(), 7);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_GE(line_ups[i].size(), 4u);
    EXPECT_NE(std::ranges::find(line_ups[i], i), line_ups[i].end());
    for (const std::size_t other : line_ups[i]) EXPECT_EQ(line_ups[other], line_ups[i]);
  }
  EXPECT_EQ(line_ups, make_line_ups(texts, texts.size(), 7));
  EXPECT_NE(line_ups, make_line_ups(texts, texts.size(), 8));
}

}  // namespace
}  // namespace personascope::eval::personagym
