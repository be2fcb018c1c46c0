#include "stats/votes.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(Votes, AgreesWithTheReference) {
  const Json& data = golden()["kish_n_eff"];
  std::vector<double> matrix;
  for (const Json& row : data["error_correlation"]) {
    for (const Json& cell : row) matrix.push_back(cell);
  }
  EXPECT_NEAR(*effective_votes(matrix, 3), data["n_eff"].get<double>(), kClosedForm);
}

TEST(Votes, IndependentJudgesCountInFullAndCopiesOnce) {
  EXPECT_EQ(*effective_votes(std::vector{1.0, 0.0, 0.0, 1.0}, 2), 2);
  EXPECT_EQ(*effective_votes(std::vector{1.0, 1.0, 1.0, 1.0}, 2), 1);
}

TEST(Votes, RefusesWhatIsNoCorrelationMatrix) {
  EXPECT_FALSE(effective_votes({}, 0));
  EXPECT_FALSE(effective_votes(std::vector{1.0, 0.5}, 2));
  EXPECT_FALSE(effective_votes(std::vector{1.0, 0.5, 0.4, 1.0}, 2));
  EXPECT_FALSE(effective_votes(std::vector{0.9, 0.5, 0.5, 1.0}, 2));
  EXPECT_FALSE(effective_votes(std::vector{1.0, 2.0, 2.0, 1.0}, 2));
  EXPECT_FALSE(effective_votes(std::vector{1.0, -1.0, -1.0, 1.0}, 2));
}

}  // namespace
}  // namespace personascope::stats
