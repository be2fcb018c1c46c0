#include "cli/table.hpp"

#include <gtest/gtest.h>

namespace personascope::cli {
namespace {

TEST(Table, AlignsColumnsByCharacters) {
  Table table({"name", "items", "why"}, {Align::Left, Align::Right});
  table.add({Cell("Zoë"), Cell("7"), Cell("long reason")});
  table.add({Cell("a"), Cell("1,234"), Cell("")});
  EXPECT_EQ(table.render(),
            "name  items  why\n"
            "Zoë       7  long reason\n"
            "a     1,234\n");
}

TEST(Table, ShowsItsHeadingsAlone) {
  EXPECT_EQ(Table({"a", "b"}).render(), "a  b\n");
}

TEST(Table, DropsThenCutsThenStacks) {
  Table table({"name", "n", "why"}, {Align::Left, Align::Right});
  table.add({Cell("a long name"), Cell("7"), Cell("a long reason")});
  table.may_drop({1});
  table.may_shorten({0, 2});
  EXPECT_EQ(table.render(26), "name         why\na long name  a long reason\n");
  EXPECT_EQ(table.render(22), "name        why\na long na…  a long re…\n");
  EXPECT_EQ(table.render(16), "name  a long\n      name\nn     7\nwhy   a long\n      reason\n");
}

TEST(Table, LetsSentencesGoOnInTheNextLine) {
  Table table({"name", "found"});
  table.add({Cell("store"), Cell("a file that was found in a folder")});
  table.add({Cell("disk"), Cell("free")});
  table.may_wrap(1);
  EXPECT_EQ(table.render(33),
            "name   found\nstore  a file that was found in a\n       folder\ndisk   free\n");
  EXPECT_EQ(table.render(26).substr(0, 12), "name   store");  // too narrow: stacked
}

TEST(Table, PaintsNothingWhereNobodyLooks) {
  Table table({"a"});
  table.add({Cell("x", Colour::Red)});
  EXPECT_EQ(table.render().find('\x1b'), std::string::npos);
}

TEST(RenderCount, GroupsThousands) {
  const std::pair<long long, const char*> cases[] = {
      {0, "0"}, {999, "999"}, {1000, "1,000"}, {-1234567, "-1,234,567"}, {100000, "100,000"}};
  for (const auto& [number, text] : cases) EXPECT_EQ(render_count(number), text);
}

TEST(RenderCount, KnowsOneFromMany) {
  EXPECT_EQ(render_count(1, "cluster"), "1 cluster");
  EXPECT_EQ(render_count(0, "cluster"), "0 clusters");
  EXPECT_EQ(render_count(1234, "item"), "1,234 items");
}

TEST(RenderMoney, ShowsAsManyDigitsAsItTakes) {
  const std::pair<double, const char*> cases[] = {{0, "$0"},           {1234.5, "$1234.50"},
                                                  {0.5, "$0.50"},      {0.0123, "$0.012"},
                                                  {4e-5, "$0.000040"}, {1e-12, "$0.00000000"}};
  for (const auto& [amount, text] : cases) EXPECT_EQ(render_money(amount), text);
}

}  // namespace
}  // namespace personascope::cli
