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
  EXPECT_NEAR(parroted_lift(parrot, persona).value(), 3, 1e-12)
      << "a word of two tokens counts with both";
  const LiftReading free{{-1, -1}, {-2, -2}, {" waves", " again"}};
  EXPECT_NEAR(parroted_lift(free, persona).value(), 0, 1e-12);
  const LiftReading last{{-1}, {-2}, {" \"Lighthouse\""}};
  EXPECT_NEAR(parroted_lift(last, persona).value(), 1, 1e-12) << "case and marks do not hide it";
  EXPECT_FALSE(parroted_lift({{-1}, {-2}, {}}, persona)) << "no tokens";
}

}  // namespace
}  // namespace personascope::judge
