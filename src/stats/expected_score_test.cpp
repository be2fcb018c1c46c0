#include "stats/expected_score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(ExpectedScore, AgreesWithTheReference) {
  const Json& data = golden()["geval"];
  std::vector<LabelProbability> labels;
  for (const auto& [score, log_probability] : data["logprob"].items()) {
    labels.push_back({std::stod(score), log_probability});
  }
  const ExpectedScore score = expected_score(labels).value();
  EXPECT_NEAR(score.captured_mass, data["captured_mass"].get<double>(), kClosedForm);
  EXPECT_NEAR(score.value, data["expected_score"].get<double>(), kClosedForm);
  EXPECT_NEAR(score.standard_deviation, data["sd"].get<double>(), kClosedForm);
}

TEST(ExpectedScore, TokensOfOneScoreAddUp) {
  const std::vector<LabelProbability> labels{
      {4, std::log(0.3)}, {4, std::log(0.2)}, {5, std::log(0.5)}};
  EXPECT_NEAR(expected_score(labels)->value, 4.5, kClosedForm);
  EXPECT_NEAR(expected_score(labels)->captured_mass, 1, kClosedForm);
}

TEST(ExpectedScore, ALabelThatIsNeverChosenIsAllowed) {
  const double never = -std::numeric_limits<double>::infinity();
  const std::vector<LabelProbability> labels{{1, never}, {3, -0.1}};
  EXPECT_NEAR(expected_score(labels)->value, 3, kClosedForm);
}

TEST(ExpectedScore, UndefinedCasesSaySo) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(expected_score({}));
  EXPECT_FALSE(expected_score(std::vector<LabelProbability>{{1, -infinity}}));
  EXPECT_FALSE(expected_score(std::vector<LabelProbability>{{1, nan}}));
  EXPECT_FALSE(expected_score(std::vector<LabelProbability>{{infinity, -1}}));
  EXPECT_FALSE(expected_score(std::vector<LabelProbability>{{1, 0.5}}));
  EXPECT_FALSE(expected_score(std::vector<LabelProbability>{{1, -0.1}, {2, -0.1}}));
}

}  // namespace
}  // namespace personascope::stats
