#include "stats/gwet.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

const std::vector<int> kScale{1, 2, 3, 4, 5};

std::vector<Rating> two_raters(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<Rating> ratings;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ratings.push_back({i, 0, a[i]});
    ratings.push_back({i, 1, b[i]});
  }
  return ratings;
}

TEST(Gwet, AgreesWithTheReferenceToItsFiveDigits) {
  const Json& data = golden()["gwet"];
  const auto ratings = two_raters(numbers(golden()["cohen"]["a"]), numbers(golden()["cohen"]["b"]));
  EXPECT_NEAR(gwet_ac(ratings, kScale, AgreementWeights::Nominal)->value, data["AC1"].get<double>(),
              5e-6);
  EXPECT_NEAR(gwet_ac(ratings, kScale)->value, data["AC2_quadratic"].get<double>(), 5e-6);
}

TEST(Gwet, FollowsTheFormulaForTwoRatersExactly) {
  const auto ratings = two_raters(numbers(golden()["cohen"]["a"]), numbers(golden()["cohen"]["b"]));
  const double chance = (1 - 122.0 / 576) / 4;
  EXPECT_NEAR(gwet_ac(ratings, kScale, AgreementWeights::Nominal)->value,
              (8.0 / 12 - chance) / (1 - chance), kClosedForm);
}

TEST(Gwet, ScoresThatAreAllAlikeAgreeCompletely) {
  EXPECT_NEAR(gwet_ac(two_raters({5, 5, 5}, {5, 5, 5}), kScale)->value, 1, kClosedForm);
}

TEST(Gwet, SingleRatingsOnlyShapeTheShares) {
  auto ratings = two_raters({1, 2, 5}, {1, 3, 5});
  const double before = gwet_ac(ratings, kScale)->value;
  ratings.push_back({9, 0, 1});
  const Estimate after = gwet_ac(ratings, kScale).value();
  EXPECT_NE(after.value, before);
  EXPECT_EQ(after.clusters, 3u);
}

TEST(Gwet, UndefinedCasesSaySo) {
  EXPECT_FALSE(gwet_ac({}, kScale));
  EXPECT_FALSE(gwet_ac(std::vector<Rating>{{0, 0, 1}, {1, 0, 2}}, kScale));
  EXPECT_FALSE(gwet_ac(two_raters({1}, {6}), kScale));
  EXPECT_FALSE(gwet_ac(two_raters({1}, {2.5}), kScale));
  EXPECT_FALSE(gwet_ac(two_raters({1}, {1}), std::vector{1}));
}

}  // namespace
}  // namespace personascope::stats
