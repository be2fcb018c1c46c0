#include "stats/cholesky.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

Matrix two_by_two(double a, double b, double c) {
  Matrix matrix(2);
  matrix.cells = {a, b, b, c};
  return matrix;
}

TEST(Cholesky, SolvesAndInverts) {
  const auto factor = Cholesky::create(two_by_two(4, 2, 3)).value();
  const auto x = factor.solve(std::vector{10.0, 8.0});
  EXPECT_NEAR(x[0], 1.75, kClosedForm);
  EXPECT_NEAR(x[1], 1.5, kClosedForm);
  EXPECT_NEAR(factor.inverse_diagonal()[0], 3.0 / 8, kClosedForm);
  EXPECT_NEAR(factor.inverse_diagonal()[1], 4.0 / 8, kClosedForm);
}

TEST(Cholesky, RefusesMatricesThatAreNotPositiveDefinite) {
  EXPECT_FALSE(Cholesky::create(two_by_two(1, 1, 1)));
  EXPECT_FALSE(Cholesky::create(two_by_two(-1, 0, 1)));
  EXPECT_FALSE(Cholesky::create(two_by_two(0, 0, 0)));
}

}  // namespace
}  // namespace personascope::stats
