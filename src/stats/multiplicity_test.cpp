#include "stats/multiplicity.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

void expect_equal(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], kClosedForm);
}

TEST(Multiplicity, AgreesWithStatsmodels) {
  const Json& data = golden()["multiplicity"];
  const auto p = numbers(data["p"]);
  expect_equal(*holm(p), numbers(data["holm"]));
}

TEST(Multiplicity, KeepsTheOrderAndStaysBelowOne) {
  expect_equal(*holm(std::vector{0.9, 0.01, 0.8}), {1, 0.03, 1});
}

TEST(Multiplicity, NothingComesOfNothingAndNonsenseIsRefused) {
  EXPECT_TRUE(holm({})->empty());
  EXPECT_FALSE(holm(std::vector{0.5, 1.5}));
  EXPECT_FALSE(holm(std::vector{-0.1}));
}

}  // namespace
}  // namespace personascope::stats
