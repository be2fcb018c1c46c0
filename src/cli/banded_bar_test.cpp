#include "cli/banded_bar.hpp"

#include <gtest/gtest.h>

namespace personascope::cli {
namespace {

TEST(BandedBar, ShowsTheShareAndItsInterval) {
  EXPECT_EQ(render_banded_bar(0.5, std::pair(0.3, 0.8), 10), "███▓▓░░░");
  EXPECT_EQ(render_banded_bar(0.5, std::nullopt, 10), "█████");
  EXPECT_EQ(render_banded_bar(0, std::pair(0.0, 0.4), 10), "░░░░");
  EXPECT_EQ(render_banded_bar(1.7, std::pair(-1.0, 2.0), 4), "▓▓▓▓");
  EXPECT_EQ(render_banded_bar(0, std::nullopt, 10), "");
}

}  // namespace
}  // namespace personascope::cli
