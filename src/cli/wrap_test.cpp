#include "cli/wrap.hpp"

#include <gtest/gtest.h>

namespace personascope::cli {
namespace {

TEST(Wrap, BreaksBetweenWords) {
  EXPECT_EQ(wrap("one two three four", 13), "one two three\nfour\n");
  EXPECT_EQ(wrap("one two three four", 15, 2), "  one two three\n  four\n");
  EXPECT_EQ(wrap("", 10), "");
}

TEST(Wrap, KeepsTheTextsOwnLines) {
  EXPECT_EQ(wrap("one\n\ntwo", 20, 1), " one\n\n two\n");
}

TEST(Wrap, CountsCharactersAndBreaksWordsThatFitNoLine) {
  EXPECT_EQ(wrap("ééééé ééééé", 11), "ééééé ééééé\n");
  EXPECT_EQ(wrap("ééééééééééé", 10), "éééééééééé\né\n");
}

TEST(Wrap, HangsWhatFollowsTheFirstLineAndKeepsWordsWhole) {
  EXPECT_EQ(hang("stopped: one two three", 14, 2), "stopped: one\n  two three\n");
  EXPECT_EQ(hang("  3 x one two three", 14, 4), "  3 x one two\n    three\n");
  EXPECT_EQ(hang("see /a/long/path/that/fits/nowhere", 14, 2),
            "see\n  /a/long/path/that/fits/nowhere\n");
  EXPECT_EQ(hang("  output    /a/long/path", 14, 6), "  output\n      /a/long/path\n");
  EXPECT_EQ(hang("  a   one two", 14, 6), "  a   one two\n") << "the first line has its own room";
  EXPECT_EQ(hang("", 14, 2), "");
}

}  // namespace
}  // namespace personascope::cli
