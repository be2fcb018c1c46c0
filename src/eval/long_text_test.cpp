#include "eval/long_text.hpp"

#include <gtest/gtest.h>

namespace personascope::eval {
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
  LongestRequest usual("request");
  for (int i = 0; i < 10; ++i) usual.add("a", 20'000);
  EXPECT_TRUE(usual.describe().empty());
  LongestRequest odd("request");
  for (int i = 0; i < 10; ++i) odd.add("a", 100);
  EXPECT_TRUE(odd.describe().empty());
  odd.add("big\x1b[31m", 300'000);
  const std::string sentence = odd.describe().at(0);
  EXPECT_TRUE(sentence.starts_with("the request \"big")) << sentence;
  EXPECT_NE(sentence.find("300000 input tokens, the others 100 on average"), std::string::npos);
  EXPECT_EQ(sentence.find('\x1b'), std::string::npos);
  LongestRequest single("request");
  single.add("one", 300'000);
  EXPECT_EQ(single.describe().at(0), "the request \"one\" has about 300000 input tokens");
}

}  // namespace
}  // namespace personascope::eval
