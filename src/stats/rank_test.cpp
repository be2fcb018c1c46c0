#include "stats/rank.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(Rank, AgreesWithScipy) {
  const Json& data = golden()["rank"];
  const auto x = numbers(data["x"]);
  const auto y = numbers(data["y"]);
  EXPECT_NEAR(spearman(x, y)->value, data["spearman"].get<double>(), kClosedForm);
  EXPECT_NEAR(kendall_tau_b(x, y)->value, data["kendall_b"].get<double>(), kClosedForm);
}

TEST(Rank, TiesShareTheirRanks) {
  EXPECT_EQ(mid_ranks(std::vector{3.0, 1.0, 3.0, 2.0}), (std::vector{3.5, 1.0, 3.5, 2.0}));
}

TEST(Rank, SameAndReversedOrderAreTheEnds) {
  const std::vector<double> x{1, 2, 3, 4, 5};
  const std::vector<double> down{9, 7, 5, 3, 1};
  EXPECT_NEAR(kendall_tau_b(x, x)->value, 1, kClosedForm);
  EXPECT_NEAR(kendall_tau_b(x, down)->value, -1, kClosedForm);
  EXPECT_NEAR(spearman(x, down)->value, -1, kClosedForm);
}

TEST(Rank, UndefinedCasesSaySo) {
  const std::vector<double> flat{2, 2, 2};
  const std::vector<double> x{1, 2, 3};
  EXPECT_FALSE(spearman({}, {}));
  EXPECT_FALSE(spearman(x, flat));
  EXPECT_FALSE(kendall_tau_b(flat, x));
  EXPECT_FALSE(kendall_tau_b(x, std::vector{1.0}));
  EXPECT_FALSE(kendall_tau_b(std::vector{1.0}, std::vector{1.0}));
}

TEST(Rank, AMillionPairs) {
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < 1'000'000; ++i) {
    x.push_back(static_cast<double>(i));
    y.push_back(static_cast<double>(i % 2 == 0 ? i : i / 2));
  }
  const double tau = kendall_tau_b(x, y)->value;
  EXPECT_GT(tau, 0.4);
  EXPECT_LT(tau, 0.8);
}

}  // namespace
}  // namespace personascope::stats
