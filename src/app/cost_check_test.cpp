#include "app/cost_check.hpp"

#include <gtest/gtest.h>

namespace personascope::app {
namespace {

TEST(LongTexts, AreNamedWithWhereTheyAreAndWhatTheyAdd) {
  EXPECT_TRUE(name_long_texts({{"personas", {{{"text", "a teacher"}}}}}).empty());
  const Json plan = {{"personas", {{{"text", "short"}}, {{"text", std::string(1'000'000, 'x')}}}}};
  const auto notes = name_long_texts(plan);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(notes[0].starts_with("personas[1].text (\"xxx")) << notes[0];
  EXPECT_NE(notes[0].find("1000 kB: every call with it has about 250000 more"), std::string::npos);
}

TEST(LongestRequest, IsNamedIfItIsFarLongerThanTheOthers) {
  LongestRequest usual;
  for (int i = 0; i < 10; ++i) usual.add("a", 20'000);
  EXPECT_EQ(usual.describe(), "");
  LongestRequest odd;
  for (int i = 0; i < 10; ++i) odd.add("a", 100);
  EXPECT_EQ(odd.describe(), "");
  odd.add("big\x1b[31m", 300'000);
  EXPECT_TRUE(odd.describe().starts_with("the request \"big")) << odd.describe();
  EXPECT_NE(odd.describe().find("300000 input tokens, the others 100 on average"),
            std::string::npos);
  EXPECT_EQ(odd.describe().find('\x1b'), std::string::npos);
  LongestRequest single;
  single.add("one", 300'000);
  EXPECT_EQ(single.describe(), "the request \"one\" has about 300000 input tokens");
}

}  // namespace
}  // namespace personascope::app
