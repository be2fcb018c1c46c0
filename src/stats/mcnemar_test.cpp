#include "stats/mcnemar.hpp"

#include <gtest/gtest.h>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

TEST(McNemar, AgreesWithStatsmodels) {
  const Json& data = golden()["mcnemar"];
  const auto b = data["b"].get<std::size_t>();
  const auto c = data["c"].get<std::size_t>();
  EXPECT_NEAR(mcnemar(b, c).p_value, data["exact_p"].get<double>(), kQuantile);
  EXPECT_NEAR(mcnemar(c, b).p_value, data["exact_p"].get<double>(), kQuantile);
  EXPECT_NEAR(mcnemar(b, c, McNemarMethod::MidP).p_value, data["midp"].get<double>(), kQuantile);
  EXPECT_NEAR(mcnemar(b, c, McNemarMethod::ChiSquare).p_value, data["chi2_cc_p"].get<double>(),
              kQuantile);
}

TEST(McNemar, WithoutDiscordantPairsThereIsNoEvidence) {
  ASSERT_EQ(golden()["mcnemar"]["zero_discordant_exact_p"].get<double>(), 1.0);
  EXPECT_EQ(mcnemar(0, 0).p_value, 1);
  EXPECT_EQ(mcnemar(0, 0, McNemarMethod::MidP).p_value, 1);
  EXPECT_EQ(mcnemar(0, 0, McNemarMethod::ChiSquare).p_value, 1);
}

TEST(McNemar, EqualCountsAreNoEvidenceEither) {
  EXPECT_EQ(mcnemar(8, 8).p_value, 1);
  EXPECT_EQ(mcnemar(8, 8, McNemarMethod::MidP).p_value, 1);
  EXPECT_EQ(mcnemar(8, 8, McNemarMethod::ChiSquare).p_value, 1);
}

TEST(McNemar, AMillionPairsAreNoTrouble) {
  EXPECT_LT(mcnemar(490'000, 510'000).p_value, 1e-80);
  EXPECT_GT(mcnemar(499'900, 500'100).p_value, 0.8);
}

}  // namespace
}  // namespace personascope::stats
