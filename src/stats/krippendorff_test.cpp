#include "stats/krippendorff.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

std::vector<Rating> golden_ratings() {
  const Json& table = golden()["krippendorff"]["raters_by_items"];
  std::vector<Rating> ratings;
  for (std::size_t rater = 0; rater < table.size(); ++rater) {
    for (std::size_t item = 0; item < table[rater].size(); ++item) {
      const Json& value = table[rater][item];
      if (!value.is_null()) ratings.push_back({item, rater, value.get<double>()});
    }
  }
  return ratings;
}

TEST(Krippendorff, AgreesWithTheReferenceOnEveryLevelWithMissingRatings) {
  const Json& data = golden()["krippendorff"];
  const auto ratings = golden_ratings();
  const auto alpha = [&](Level level) { return krippendorff_alpha(ratings, level)->value; };
  EXPECT_NEAR(alpha(Level::Nominal), data["nominal"].get<double>(), kClosedForm);
  EXPECT_NEAR(alpha(Level::Ordinal), data["ordinal"].get<double>(), kClosedForm);
  EXPECT_NEAR(alpha(Level::Interval), data["interval"].get<double>(), kClosedForm);
  EXPECT_NEAR(alpha(Level::Ratio), data["ratio"].get<double>(), kClosedForm);
}

TEST(Krippendorff, ItemsWithOneRatingDoNotCount) {
  auto ratings = golden_ratings();
  const double before = krippendorff_alpha(ratings)->value;
  ratings.push_back({99, 0, 4});
  const Estimate after = krippendorff_alpha(ratings).value();
  EXPECT_EQ(after.value, before);
  EXPECT_EQ(after.n, 26u);
  EXPECT_EQ(after.clusters, 12u);
}

TEST(Krippendorff, ZeroOnARatioScaleIsAValueLikeOthers) {
  const std::vector<Rating> ratings{{0, 0, 0}, {0, 1, 0}, {1, 0, 2}, {1, 1, 3}};
  EXPECT_TRUE(krippendorff_alpha(ratings, Level::Ratio));
}

TEST(Krippendorff, UndefinedCasesSaySo) {
  const std::vector<Rating> one_rater{{0, 0, 1}, {1, 0, 2}, {2, 0, 3}};
  EXPECT_FALSE(krippendorff_alpha(one_rater));
  EXPECT_FALSE(krippendorff_alpha({}));
  const std::vector<Rating> all_equal{{0, 0, 3}, {0, 1, 3}, {1, 0, 3}, {1, 1, 3}};
  for (const Level level : {Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio}) {
    EXPECT_FALSE(krippendorff_alpha(all_equal, level));
  }
  const std::vector<Rating> twice{{0, 0, 1}, {0, 1, 2}, {0, 0, 3}};
  EXPECT_FALSE(krippendorff_alpha(twice));
  const std::vector<Rating> negative{{0, 0, -1}, {0, 1, 2}};
  EXPECT_FALSE(krippendorff_alpha(negative, Level::Ratio));
}

TEST(Krippendorff, AMillionRatingsInNoOrder) {
  std::vector<Rating> ratings;
  for (std::size_t rater = 0; rater < 5; ++rater) {
    for (std::size_t item = 0; item < 200'000; ++item) {
      const std::size_t score = item % 5 + (item % 7 == rater ? 1 : 0);
      ratings.push_back({item, rater, static_cast<double>(score)});
    }
  }
  const Estimate estimate = krippendorff_alpha(ratings).value();
  EXPECT_GT(estimate.value, 0.8);
  EXPECT_LT(estimate.value, 1);
}

}  // namespace
}  // namespace personascope::stats
