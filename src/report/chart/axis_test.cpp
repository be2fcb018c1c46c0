#include "report/chart/axis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace personascope::report {
namespace {

using Ticks = std::vector<double>;

void expect_ticks(const Axis& axis, const Ticks& expected) {
  ASSERT_EQ(axis.ticks.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(axis.ticks[i], expected[i], 1e-12 + std::abs(expected[i]) * 1e-12);
}

TEST(Axis, HasRoundTicks) {
  expect_ticks(make_axis({1, 5}, 6, Ends::Keep), {1, 2, 3, 4, 5});
  expect_ticks(make_axis({0, 1}, 6, Ends::Keep), {0, 0.2, 0.4, 0.6, 0.8, 1});
  expect_ticks(make_axis({-0.03, 0.11}, 6, Ends::Round), {-0.05, 0, 0.05, 0.1, 0.15});
  expect_ticks(make_axis({3, 1234}, 5, Ends::Round), {0, 500, 1000, 1500});
  expect_ticks(make_axis({0.3, 0.9}, 4, Ends::Keep), {0.4, 0.6, 0.8});
}

TEST(Axis, HoldsItsRange) {
  for (const double low : {-1e6, -3.3, -1e-7, 0.0, 0.1, 7.0, 12345.678})
    for (const double length : {1e-6, 0.07, 1.0, 3.9, 1e5})
      for (const std::size_t most : {2u, 3u, 5u, 10u}) {
        const Axis axis = make_axis({low, low + length}, most, Ends::Round);
        EXPECT_LE(axis.low, low);
        EXPECT_GE(axis.high, low + length);
        EXPECT_GE(axis.ticks.size(), 2u);
        EXPECT_LE(axis.ticks.size(), std::max<std::size_t>(most, 2) + 1) << low << " " << length;
        for (const double tick : axis.ticks) {
          EXPECT_GE(tick, axis.low);
          EXPECT_LE(tick, axis.high);
        }
      }
}

TEST(Axis, HasALengthWhateverItIsGiven) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const core::Interval range : {core::Interval{0, 0},
                                     {4, 4},
                                     {-2, -2},
                                     {5, 1},
                                     {kNan, 1},
                                     {0, kInfinity},
                                     {1e300, 1e300}}) {
    const Axis axis = make_axis(range, 5, Ends::Round);
    EXPECT_LT(axis.low, axis.high);
    EXPECT_TRUE(std::isfinite(axis.position_of(range.low)) || std::isnan(range.low));
    EXPECT_GE(axis.ticks.size(), 2u);
  }
}

TEST(Axis, MovesValuesOutsideToItsEnds) {
  const Axis axis = make_axis({1, 5}, 5, Ends::Keep);
  EXPECT_DOUBLE_EQ(axis.position_of(3), 0.5);
  EXPECT_DOUBLE_EQ(axis.position_of(0), 0);
  EXPECT_DOUBLE_EQ(axis.position_of(9), 1);
}

TEST(Axis, WritesTicksByTheirUnit) {
  const Axis shares = make_axis({0, 1}, 6, Ends::Keep);
  EXPECT_EQ(render_tick(shares, 0.2, core::kShareUnit, false), "20 %");
  const Axis fine = make_axis({0, 0.01}, 6, Ends::Keep);
  EXPECT_EQ(render_tick(fine, 0.002, core::kShareUnit, true), "+0.2 pp");
  EXPECT_EQ(render_tick(fine, 0, core::kShareUnit, true), "0");
  const Axis scores = make_axis({1, 5}, 6, Ends::Keep);
  EXPECT_EQ(render_tick(scores, 4, core::kScoreUnit, false), "4");
  const Axis counts = make_axis({0, 3000}, 6, Ends::Keep);
  EXPECT_EQ(render_tick(counts, 2000, core::kCountUnit, false), "2,000");
  const Axis nats = make_axis({-0.1, 0.1}, 6, Ends::Round);
  EXPECT_EQ(render_tick(nats, -0.05, core::kNatsUnit, true), "-0.05");
}

}  // namespace
}  // namespace personascope::report
