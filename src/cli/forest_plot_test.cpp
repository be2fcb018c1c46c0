#include "cli/forest_plot.hpp"

#include <gtest/gtest.h>

#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

TEST(ForestPlot, DrawsIntervalsAroundALineAtZero) {
  const std::vector<ForestRow> rows{
      {"run_b", 0.5, {{0.0, 1.0}}}, {"c", -0.5, {{-1.0, -0.25}}}, {"d", 0.25, {}}};
  EXPECT_EQ(render_forest(rows, 28),
            "run_b            ├────●────┤\n"
            "c      ├────●──┤ │\n"
            "d                │  ●\n"
            "       -1.000    0    +1.000\n");
}

TEST(ForestPlot, KeepsToTheWidthAndToOneLineARow) {
  const std::vector<ForestRow> rows{{"a run with a long name", 3, {{-200, 200}}}};
  for (const std::size_t columns : {50u, 80u, 200u}) {
    const std::string text = render_forest(rows, columns);
    EXPECT_LE(width(text.substr(0, text.find('\n'))), columns);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  }
  EXPECT_FALSE(render_forest({{"x", 0, {}}}, 5).empty());
  EXPECT_EQ(render_forest({}, 80), "");
}

TEST(ForestPlot, NoDifferenceAtAllIsDrawnAtZero) {
  const std::string text = render_forest({{"x", 0, {{0, 0}}}}, 30);
  EXPECT_NE(text.find("●"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(ForestPlot, NumbersLongerThanThePlotAreNoDefect) {
  const std::string text = render_forest({{"a", 1e150, {{-1e150, 2e150}}}}, 40);
  EXPECT_NE(text.find(" 0 "), std::string::npos) << text;
}

}  // namespace
}  // namespace personascope::cli
