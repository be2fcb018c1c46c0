#include "stats/bradley_terry.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

constexpr auto kFirst = PairOutcome::FirstWins;
constexpr auto kSecond = PairOutcome::SecondWins;
constexpr auto kTie = PairOutcome::Tie;

TEST(BradleyTerry, AgreesWithChoix) {
  const Json& data = golden()["bradley_terry"];
  std::vector<PairVerdict> verdicts;
  for (const Json& win : data["wins"]) verdicts.push_back({win[0], win[1], kFirst});
  const BradleyTerry fit = fit_bradley_terry(verdicts, 3).value();
  const auto expected = numbers(data["log_strength_centred"]);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(fit.log_strengths[i].value, expected[i], kLikelihood);
  }
  EXPECT_FALSE(fit.ties);
  EXPECT_TRUE(fit.log_strengths[0].has(Caveat::TooFewForInterval));
}

TEST(BradleyTerry, TwoPlayersHaveTheLogOddsAsDifference) {
  std::vector<PairVerdict> verdicts(30, {0, 1, kFirst});
  verdicts.insert(verdicts.end(), 10, {0, 1, kSecond});
  const BradleyTerry fit = fit_bradley_terry(verdicts, 2).value();
  EXPECT_NEAR(fit.log_strengths[0].value, std::log(3) / 2, kLikelihood);
  // The log odds have variance 1/30 + 1/10, half of them a quarter of that.
  EXPECT_NEAR(*fit.log_strengths[0].standard_error, std::sqrt((1.0 / 30 + 1.0 / 10) / 4),
              kLikelihood);
  EXPECT_NEAR(fit.log_likelihood, 30 * std::log(0.75) + 10 * std::log(0.25), kLikelihood);
}

TEST(BradleyTerry, TiesFollowDavidson) {
  // Two players: the fit is exact, so the chances are the shares 4/8, 1/8 and 3/8.
  std::vector<PairVerdict> verdicts(4, {0, 1, kFirst});
  verdicts.push_back({1, 0, kFirst});
  verdicts.insert(verdicts.end(), 3, {0, 1, kTie});
  const BradleyTerry fit = fit_bradley_terry(verdicts, 2).value();
  EXPECT_NEAR(fit.log_strengths[0].value - fit.log_strengths[1].value, std::log(4.0), kLikelihood);
  EXPECT_NEAR(*fit.ties, 3 / std::sqrt(4.0 * 1.0), kLikelihood);
}

TEST(BradleyTerry, UndefinedCasesSaySo) {
  EXPECT_FALSE(fit_bradley_terry({}, 2));
  EXPECT_FALSE(fit_bradley_terry({}, 1));
  EXPECT_FALSE(fit_bradley_terry(std::vector<PairVerdict>{{0, 1, kFirst}}, 2));
  EXPECT_FALSE(fit_bradley_terry(std::vector<PairVerdict>{{0, 1, kTie}}, 2));
  EXPECT_FALSE(fit_bradley_terry(std::vector<PairVerdict>{{0, 2, kFirst}}, 2));
  EXPECT_FALSE(fit_bradley_terry(std::vector<PairVerdict>{{1, 1, kFirst}}, 2));
  const std::vector<PairVerdict> never_met{{0, 1, kFirst}, {0, 1, kSecond}};
  EXPECT_FALSE(fit_bradley_terry(never_met, 3));
}

}  // namespace
}  // namespace personascope::stats
