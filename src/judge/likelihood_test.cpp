#include "judge/likelihood.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace personascope::judge {
namespace {

TEST(Likelihood, LiftIsTheMeanDifferenceAToken) {
  EXPECT_NEAR(persona_lift({{-1, -2, -3}, {-2, -2, -5}, {}}).value(), 1, 1e-12);
  EXPECT_NEAR(persona_lift({{-2}, {-1}, {}}).value(), -1, 1e-12);
}

TEST(Likelihood, RefusesWhatHasNoLift) {
  EXPECT_FALSE(persona_lift({}));
  EXPECT_FALSE(persona_lift({{-1}, {-1, -2}, {}}));
  EXPECT_FALSE(persona_lift({{-1}, {NAN}, {}}));
  EXPECT_FALSE(persona_lift({{-INFINITY}, {-1}, {}}));
}

TEST(Likelihood, AnAnswerThatParrotsGetsItsLiftFromThePersonasWords) {
  const std::string persona = "A lighthouse keeper who hates the sea.";
  const LiftReading parrot{{-1, -1, -1, -1}, {-1, -3, -2, -2}, {"I", " light", "house", " run"}};
  EXPECT_NEAR(parroted_share(parrot, persona).value(), 3.0 / 4, 1e-12)
      << "a word of two tokens counts with both";
  const LiftReading free{{-1, -1}, {-2, -2}, {" waves", " again"}};
  EXPECT_NEAR(parroted_share(free, persona).value(), 0, 1e-12);
  const LiftReading last{{-1}, {-2}, {" \"Lighthouse\""}};
  EXPECT_NEAR(parroted_share(last, persona).value(), 1, 1e-12) << "case and marks do not hide it";
  EXPECT_FALSE(parroted_share({{-1}, {-1}, {"x"}}, persona)) << "no lift, no share";
  EXPECT_FALSE(parroted_share({{-1}, {-2}, {}}, persona)) << "no tokens";
}

TEST(Likelihood, MeanLiftIsClusteredByPersona) {
  std::vector<double> lifts;
  std::vector<std::size_t> personas;
  for (std::size_t i = 0; i < 40; ++i) {
    lifts.push_back(0.3 + 0.1 * static_cast<double>(i / 4 % 3));
    personas.push_back(i / 4);
  }
  const auto estimate = mean_lift(lifts, personas).value();
  EXPECT_EQ(estimate.n, 40u);
  EXPECT_EQ(estimate.clusters, 10u);
  EXPECT_TRUE(estimate.interval);
}

}  // namespace
}  // namespace personascope::judge
