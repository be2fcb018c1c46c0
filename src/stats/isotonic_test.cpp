#include "stats/isotonic.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(Isotonic, AgreesWithScikitLearn) {
  const Json& data = golden()["isotonic"];
  const auto fit = IsotonicCalibration::create(numbers(data["x"]), numbers(data["y"])).value();
  const auto at = numbers(data["at"]);
  const auto expected = numbers(data["fit"]);
  for (std::size_t i = 0; i < at.size(); ++i) EXPECT_NEAR(fit.at(at[i]), expected[i], kClosedForm);
}

TEST(Isotonic, AFallingJudgeBecomesTheMean) {
  const auto fit =
      IsotonicCalibration::create(std::vector{1.0, 2.0, 3.0}, std::vector{5.0, 3.0, 1.0}).value();
  for (const double score : {0.0, 1.0, 2.5, 9.0}) EXPECT_NEAR(fit.at(score), 3, kClosedForm);
}

TEST(Isotonic, RefusesWhatIsNoPair) {
  EXPECT_FALSE(IsotonicCalibration::create({}, {}));
  EXPECT_FALSE(IsotonicCalibration::create(std::vector{1.0}, std::vector{1.0, 2.0}));
}

}  // namespace
}  // namespace personascope::stats
