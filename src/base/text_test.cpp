#include "base/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace personascope {
namespace {

TEST(Text, TrimTakesBlanksOfEveryKindOffBothEnds) {
  EXPECT_EQ(trim(" \t\r\n\v\f a b \n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, LowerAndUpperLeaveOtherAlphabetsAlone) {
  EXPECT_EQ(lower("AbZ@[É"), "abz@[É");
  EXPECT_EQ(upper("AbZ`{é"), "ABZ`{é");
}

TEST(Text, SplitKeepsEmptyPartsAndJoinUndoesIt) {
  const auto parts = split(",a,,b,", ',');
  EXPECT_EQ(parts, (std::vector<std::string_view>{"", "a", "", "b", ""}));
  EXPECT_EQ(split("", ','), std::vector<std::string_view>{""});
  EXPECT_EQ(join({parts.begin(), parts.end()}, ","), ",a,,b,");
  EXPECT_EQ(join({}, ","), "");
}

TEST(Text, ReplaceAllReplacesOnceFromTheLeft) {
  EXPECT_EQ(replace_all("aaa", "aa", "b"), "ba");
  EXPECT_EQ(replace_all("x.x", "x", "xx"), "xx.xx");
  EXPECT_EQ(replace_all("abc", "", "z"), "abc");
  EXPECT_EQ(replace_all("", "a", "b"), "");
}

TEST(Text, NumbersAreReadWholeOrNotAtAll) {
  EXPECT_EQ(find_integer_in("-12"), -12);
  EXPECT_EQ(find_number_in("1.5e3"), 1500.0);
  EXPECT_EQ(find_number_in(".5"), 0.5);
  for (const char* bad : {"", " 1", "1 ", "+1", "1x", "0x10", "--1", "9223372036854775808", "1.0"})
    EXPECT_FALSE(find_integer_in(bad)) << bad;
  for (const char* bad : {"", " 1", "1 ", "+1", "1e", "1e999", "inf", "-inf", "nan", "NAN", "1,5"})
    EXPECT_FALSE(find_number_in(bad)) << bad;
}

struct Utf8Case {
  std::string text;
  std::string mended;
};

TEST(Text, WhatIsUtf8StaysAndTheRestBecomesReplacementCharacters) {
  const std::string r = "\xEF\xBF\xBD";
  for (const std::string good : {"", "plain", "é", "€", "😀", "\x7F", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
    EXPECT_EQ(make_utf8(good), good);
  }
  const Utf8Case bad[] = {
      {"\x80", r},                          // a continuation alone
      {"a\xC3", "a" + r},                   // cut off
      {"\xE2\x82", r + r},                  // cut off after two of three
      {"\xC0\xAF", r + r},                  // '/' in two bytes
      {"\xE0\x80\xAF", r + r + r},          // in three
      {"\xED\xA0\x80", r + r + r},          // a surrogate
      {"\xF4\x90\x80\x80", r + r + r + r},  // beyond U+10FFFF
      {"\xF5\xFF\xFE", r + r + r},          // never bytes of UTF-8
      {"\xC3(", r + "("},                   // the next character is not eaten
  };
  for (const Utf8Case& row : bad) {
    EXPECT_FALSE(is_utf8(row.text));
    EXPECT_EQ(make_utf8(row.text), row.mended);
  }
}

TEST(Text, EverySequenceOfTwoBytesCanBeMendedShortenedAndPrinted) {
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      const std::string text{static_cast<char>(a), static_cast<char>(b)};
      ASSERT_TRUE(is_utf8(make_utf8(text)));
      ASSERT_TRUE(is_utf8(printable(text)));
      ASSERT_LE(shorten(text, 1).size(), 4u);
    }
}

TEST(Text, ShortenCutsBetweenCharacters) {
  EXPECT_EQ(shorten("abc", 3), "abc");
  EXPECT_EQ(shorten("abcd", 3), "abc…");
  EXPECT_EQ(shorten("aé", 2), "a…");
  EXPECT_EQ(shorten("😀", 3), "…");
  EXPECT_EQ(shorten("abc", 0), "…");
  EXPECT_EQ(shorten("", 0), "");
}

TEST(Text, PrintableDisarmsEveryControlCharacter) {
  EXPECT_EQ(printable("a\tb"), "a\tb");
  EXPECT_EQ(printable("a\nb"), "a\\nb");
  EXPECT_EQ(printable("a\nb", Newlines::Keep), "a\nb");
  EXPECT_EQ(printable("é😀"), "é😀");
  const std::string shown = printable(std::string("\x1B[2J\x9B"
                                                  "1m\xC2\x9B"
                                                  "1m\r\b\a\x7F\0",
                                                  16),
                                      Newlines::Keep);
  for (const char c : shown) EXPECT_FALSE((c >= 0 && c < ' ') || c == '\x7F');
  EXPECT_EQ(shown.find("\xC2\x9B"), std::string::npos);
}

TEST(Text, PrintableLeavesOutWhatReordersTheTextAroundIt) {
  for (const char* control : {"\u061C", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C", "\u202D",
                              "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"})
    EXPECT_EQ(printable(std::string("a") + control + "b"), "ab");
  for (const char* text : {"\u2029", "\u202F", "\u2065", "\u206A", "\u200D", "\u05D0", "\u061B"})
    EXPECT_EQ(printable(text), text);
}

TEST(Text, NearMatchesAreTheNearestThreeBestFirst) {
  const std::vector<std::string> known{"temperature", "top_p", "top_k", "stop", "seed"};
  EXPECT_EQ(near_matches("temprature", known), std::vector<std::string>{"temperature"});
  EXPECT_EQ(near_matches("TOP_P", known).front(), "top_p");
  EXPECT_EQ(near_matches("top_", known).size(), 3u);
  EXPECT_TRUE(near_matches("completely else", known).empty());
  EXPECT_TRUE(near_matches("x", {}).empty());
}

TEST(Text, ANameOfMegabytesIsNotMeasured) {
  const std::string huge(32u << 20, 'a');
  EXPECT_TRUE(near_matches(huge, std::vector<std::string>(100, "temperature")).empty());
}

}  // namespace
}  // namespace personascope
