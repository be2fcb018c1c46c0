#include "llm/embedded/text_stream.hpp"

#include <gtest/gtest.h>

namespace personascope::llm::embedded {
namespace {

TEST(TextStream, GivesTextAsItComes) {
  TextStream stream({});
  EXPECT_EQ(stream.add("Hel"), "Hel");
  EXPECT_EQ(stream.add("lo"), "lo");
  EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, HoldsHalfACharacterBack) {
  TextStream stream({});
  EXPECT_EQ(stream.add("a\xF0\x9F"), "a");
  EXPECT_EQ(stream.add("\x98\x80!"), "\xF0\x9F\x98\x80!");
}

TEST(TextStream, ReplacesACharacterThatNeverEnds) {
  TextStream stream({});
  EXPECT_EQ(stream.add("a\xE2\x82"), "a");
  EXPECT_EQ(stream.finish(), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(TextStream, ReplacesBytesThatAreNoText) {
  TextStream stream({});
  EXPECT_EQ(stream.add("a\xFF"
                       "b"),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(TextStream, StopsBeforeAStopString) {
  TextStream stream({"END"});
  EXPECT_EQ(stream.add("text E"), "text ");
  EXPECT_EQ(stream.add("N"), "");
  EXPECT_EQ(stream.add("D more"), "");
  EXPECT_TRUE(stream.is_stopped());
  EXPECT_EQ(stream.add("never"), "");
  EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, GivesBackWhatOnlyLookedLikeAStop) {
  TextStream stream({"END"});
  EXPECT_EQ(stream.add("EN"), "");
  EXPECT_EQ(stream.add("OUGH"), "ENOUGH");
  EXPECT_EQ(stream.add("E"), "");
  EXPECT_EQ(stream.finish(), "E");
}

TEST(TextStream, TakesTheFirstOfSeveralStops) {
  TextStream stream({"\n\n", "x"});
  EXPECT_EQ(stream.add("a\nbx\n\n"), "a\nb");
  EXPECT_TRUE(stream.is_stopped());
}

TEST(TextStream, AnEmptyStopStopsNothing) {
  TextStream stream({""});
  EXPECT_EQ(stream.add("a"), "a");
  EXPECT_FALSE(stream.is_stopped());
}

}  // namespace
}  // namespace personascope::llm::embedded
