#include "report/chart/text_size.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace personascope::report {
namespace {

TEST(TextSize, CutsWhatDoesNotFit) {
  EXPECT_EQ(fit_text("short", 10, 100), "short");
  const std::string cut = fit_text("a text that is much too long for its place", 10, 80);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(text_width(cut, 10), 80);
  EXPECT_GT(text_width(cut, 10), 60);
  EXPECT_EQ(fit_text("anything", 10, 1), "…");
  EXPECT_EQ(fit_text("two\nlines", 10, 100), "two lines");
}

TEST(TextSize, CutsBetweenCharacters) {
  for (double width = 0; width < 80; width += 3)
    EXPECT_TRUE(is_utf8(fit_text("日本語のペルソナ é ü", 10, width)));
  EXPECT_TRUE(is_utf8(fit_text("\xE6\x97", 10, 50)));
}

TEST(TextSize, BreaksBetweenWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(break_text("Action Justification", 10, 90, 2), (Lines{"Action", "Justification"}));
  EXPECT_EQ(break_text("Action", 10, 90, 2), Lines{"Action"});
  const Lines lines = break_text("one two three four five six seven eight", 10, 60, 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[1].ends_with("…"));
  for (const std::string& line : lines) EXPECT_LE(text_width(line, 10), 60);
  EXPECT_EQ(break_text("", 10, 60, 2), Lines{""});
}

TEST(TextSize, TakesALineOfAMegabyte) {
  EXPECT_LE(text_width(fit_text(std::string(1 << 20, 'x'), 10, 200), 10), 200);
}

}  // namespace
}  // namespace personascope::report
