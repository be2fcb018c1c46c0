#include "stats/ordered_logit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(OrderedLogit, AgreesWithStatsmodels) {
  const Json& data = golden()["ordered_logit"];
  const auto model = OrderedLogit::create(numbers(data["judge"]), integers(data["human"])).value();
  const double tolerance = 1e-4;
  EXPECT_NEAR(model.slope(), data["beta"].get<double>(), tolerance);
  const auto cutpoints = numbers(data["cutpoints"]);
  ASSERT_EQ(model.cutpoints().size(), cutpoints.size());
  for (std::size_t i = 0; i < cutpoints.size(); ++i) {
    EXPECT_NEAR(model.cutpoints()[i], cutpoints[i], tolerance);
  }
  EXPECT_NEAR(model.log_likelihood(), data["loglik"].get<double>(), kLikelihood);
}

TEST(OrderedLogit, PredictsChancesThatSumToOneAndRiseWithTheJudge) {
  const Json& data = golden()["ordered_logit"];
  const auto model = OrderedLogit::create(numbers(data["judge"]), integers(data["human"])).value();
  const auto chances = model.probabilities(3);
  EXPECT_NEAR(std::accumulate(chances.begin(), chances.end(), 0.0), 1, kClosedForm);
  EXPECT_LT(model.expected_score(1), model.expected_score(5));
  EXPECT_GE(model.expected_score(-100), 1);
  EXPECT_LE(model.expected_score(100), 5);
}

TEST(OrderedLogit, TwoHumanScoresAreALogisticRegression) {
  // With one judge score in two groups the maximum is the groups' own log odds.
  const std::vector<double> judge{0, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<int> human{2, 2, 2, 5, 2, 5, 5, 5};
  const auto model = OrderedLogit::create(judge, human).value();
  EXPECT_NEAR(model.cutpoints()[0], std::log(3.0), kLikelihood);
  EXPECT_NEAR(model.slope(), 2 * std::log(3.0), kLikelihood);
  EXPECT_NEAR(model.expected_score(1), 2 * 0.25 + 5 * 0.75, kLikelihood);
}

TEST(OrderedLogit, AHumanScoreThatNeverOccursHasNoChance) {
  const std::vector<double> judge{1, 2, 3, 4, 5, 1, 2, 3, 4, 5};
  const std::vector<int> human{1, 1, 5, 2, 5, 1, 2, 2, 5, 5};
  const auto model = OrderedLogit::create(judge, human).value();
  EXPECT_EQ(model.labels(), (std::vector{1, 2, 5}));
}

TEST(OrderedLogit, UndefinedCasesSaySo) {
  EXPECT_FALSE(OrderedLogit::create({}, {}));
  EXPECT_FALSE(OrderedLogit::create(std::vector{1.0, 2.0}, std::vector{3, 3}));
  EXPECT_FALSE(OrderedLogit::create(std::vector{2.0, 2.0}, std::vector{3, 4}));
  EXPECT_FALSE(OrderedLogit::create(std::vector{1.0, 2.0}, std::vector{3}));
  const std::vector<double> judge{1, 1, 2, 2, 3, 3};
  EXPECT_FALSE(OrderedLogit::create(judge, std::vector{1, 1, 2, 2, 3, 3}));
  EXPECT_FALSE(OrderedLogit::create(judge, std::vector{1, 1, 1, 2, 2, 2}));
}

}  // namespace
}  // namespace personascope::stats
