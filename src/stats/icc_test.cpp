#include "stats/icc.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(Icc, AgreesWithPingouin) {
  const Json& data = golden()["icc"];
  std::vector<double> scores;
  for (const Json& row : data["targets_by_raters"]) {
    for (const Json& score : row) scores.push_back(score);
  }
  for (const Icc form : {Icc::OneWaySingle, Icc::OneWayMean, Icc::AgreementSingle,
                         Icc::AgreementMean, Icc::ConsistencySingle, Icc::ConsistencyMean}) {
    const Estimate estimate = intraclass_correlation(scores, 4, form).value();
    EXPECT_NEAR(estimate.value, data[estimate.method].get<double>(), kClosedForm)
        << estimate.method;
    EXPECT_EQ(estimate.clusters, 6u);
  }
}

TEST(Icc, PerfectAgreementIsOne) {
  const std::vector<double> scores{1, 1, 3, 3, 5, 5};
  EXPECT_NEAR(intraclass_correlation(scores, 2)->value, 1, kClosedForm);
}

TEST(Icc, UndefinedCasesSaySo) {
  EXPECT_FALSE(intraclass_correlation({}, 2));
  EXPECT_FALSE(intraclass_correlation(std::vector{1.0, 2.0, 3.0}, 1));
  EXPECT_FALSE(intraclass_correlation(std::vector{1.0, 2.0, 3.0}, 2));
  EXPECT_FALSE(intraclass_correlation(std::vector{1.0, 2.0}, 2));
  EXPECT_FALSE(intraclass_correlation(std::vector{3.0, 3.0, 3.0, 3.0}, 2));
}

}  // namespace
}  // namespace personascope::stats
