#include "judge/calibration.hpp"

#include <gtest/gtest.h>

namespace personascope::judge {
namespace {

core::ScoreDistribution make(std::vector<double> probabilities) {
  core::ScoreDistribution distribution;
  for (std::size_t i = 0; i < probabilities.size(); ++i)
    distribution.shares.push_back({static_cast<double>(i + 1), probabilities[i]});
  distribution.captured_mass = 0.4;
  return distribution;
}

TEST(Calibration, DividesThePriorOut) {
  const std::vector<core::ScoreDistribution> nothing{make({0.1, 0.1, 0.8}), make({0.1, 0.3, 0.6})};
  const auto prior = make_prior(nothing).value();
  EXPECT_NEAR(prior[1], 0.2, 1e-12);
  const auto even = calibrate(make({0.1, 0.2, 0.7}), prior).value();
  for (const auto& share : even.shares)
    EXPECT_NEAR(share.probability, 1.0 / 3, 1e-12) << "what equals the prior says nothing";
  EXPECT_NEAR(expected_score_of(even), 2, 1e-12);
  EXPECT_NEAR(even.standard_deviation, std::sqrt(2.0 / 3), 1e-12);
  EXPECT_EQ(even.captured_mass, 0.4);
  const auto low = calibrate(make({0.4, 0.2, 0.4}), prior).value();
  EXPECT_LT(expected_score_of(low), 2) << "4 times the prior's share of the lowest";
}

TEST(Calibration, AScoreThePriorNeverSawDoesNotDecideByNoise) {
  const auto prior = make_prior(std::vector{make({0, 0.5, 0.5})}).value();
  const auto calibrated = calibrate(make({1e-6, 0.5, 0.5}), prior).value();
  EXPECT_LT(calibrated.shares[0].probability, 0.01);
}

TEST(Calibration, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(make_prior({}));
  EXPECT_FALSE(make_prior(std::vector{make({0.5, 0.5}), make({0.2, 0.3, 0.5})}));
  EXPECT_FALSE(calibrate(make({0.5, 0.5}), std::vector{1.0}));
  EXPECT_FALSE(calibrate(make({0, 0}), std::vector{0.5, 0.5}));
  EXPECT_FALSE(calibrate({}, {}));
}

TEST(Calibration, SaysWhetherAJudgeTellsAnswersApart) {
  const std::vector<core::ScoreDistribution> nothing{make({0.2, 0.2, 0.6}),
                                                     make({0.2, 0.22, 0.58})};
  const std::vector<core::ScoreDistribution> alike{make({0.2, 0.2, 0.6}), make({0.2, 0.21, 0.59}),
                                                   make({0.21, 0.2, 0.59})};
  const auto flat = calibrate_by_prior(alike, nothing).value().signal;
  EXPECT_FALSE(flat.has_signal);
  EXPECT_NE(flat.sentence.find("carry no signal"), std::string::npos);
  EXPECT_NE(flat.sentence.find("less than a twentieth of the scale"), std::string::npos);
  const std::vector<core::ScoreDistribution> noisy{make({0.6, 0.2, 0.2}), make({0.2, 0.2, 0.6})};
  const auto no_more = calibrate_by_prior(noisy, noisy).value().signal;
  EXPECT_FALSE(no_more.has_signal);
  EXPECT_EQ(no_more.sentence.find("twentieth"), std::string::npos) << no_more.sentence;
  const std::vector<core::ScoreDistribution> different{make({0.8, 0.1, 0.1}), make({0.1, 0.1, 0.8}),
                                                       make({0.1, 0.8, 0.1})};
  const auto clear = calibrate_by_prior(different, nothing).value().signal;
  EXPECT_TRUE(clear.has_signal) << clear.sentence;
  EXPECT_NE(clear.sentence.find("distinguishes answers"), std::string::npos);
  EXPECT_FALSE(calibrate_by_prior(std::vector{alike[0]}, nothing));
  EXPECT_FALSE(calibrate_by_prior(alike, std::vector{nothing[0]}));
}

}  // namespace
}  // namespace personascope::judge
