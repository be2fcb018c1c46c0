#include "stats/shrinkage.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(Shrinkage, AgreesWithMaximumLikelihoodByScipy) {
  const Json& data = golden()["beta_binomial"];
  std::vector<RateCell> cells;
  for (std::size_t i = 0; i < data["k"].size(); ++i) cells.push_back({data["k"][i], data["n"][i]});
  const Shrinkage shrinkage = shrink_rates(cells).value();
  EXPECT_NEAR(shrinkage.log_likelihood, data["loglik"].get<double>(), kLikelihood);
  EXPECT_NEAR(shrinkage.alpha, data["alpha"].get<double>(), kLikelihood);
  EXPECT_NEAR(shrinkage.beta, data["beta"].get<double>(), kLikelihood);
  const auto means = numbers(data["posterior_mean"]);
  for (std::size_t i = 0; i < means.size(); ++i) {
    EXPECT_NEAR(shrinkage.cells[i].value, means[i], kLikelihood);
    EXPECT_LT(shrinkage.cells[i].interval->low, means[i]);
    EXPECT_GT(shrinkage.cells[i].interval->high, means[i]);
  }
}

TEST(Shrinkage, CellsThatDifferByChanceShareOneRate) {
  const std::vector<RateCell> cells{{5, 10}, {5, 10}, {50, 100}, {0, 0}};
  const Shrinkage shrinkage = shrink_rates(cells).value();
  for (const Estimate& cell : shrinkage.cells) {
    EXPECT_NEAR(cell.value, 0.5, 1e-9);
    EXPECT_TRUE(cell.has(Caveat::NoVariation));
  }
}

TEST(Shrinkage, CellsOfAllOrNothingAreHardlyShrunk) {
  const std::vector<RateCell> cells{{1000, 1000}, {0, 1000}, {1000, 1000}, {0, 1000}};
  const Shrinkage shrinkage = shrink_rates(cells).value();
  EXPECT_GT(shrinkage.cells[0].value, 0.999);
  EXPECT_LT(shrinkage.cells[1].value, 0.001);
}

TEST(Shrinkage, UndefinedCasesSaySo) {
  EXPECT_FALSE(shrink_rates({}));
  EXPECT_FALSE(shrink_rates(std::vector<RateCell>{{1, 2}}));
  EXPECT_FALSE(shrink_rates(std::vector<RateCell>{{1, 2}, {0, 0}}));
  EXPECT_FALSE(shrink_rates(std::vector<RateCell>{{0, 2}, {0, 5}}));
  EXPECT_FALSE(shrink_rates(std::vector<RateCell>{{2, 2}, {5, 5}}));
  EXPECT_FALSE(shrink_rates(std::vector<RateCell>{{3, 2}, {1, 5}}));
}

}  // namespace
}  // namespace personascope::stats
