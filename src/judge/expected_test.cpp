#include "judge/expected.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace personascope::judge {
namespace {

const Scale kScale = make_number_scale(1, 5);

core::TokenChoice choice(const std::string& token, double probability) {
  return {token, std::log(probability)};
}

core::Verdict read(const std::vector<core::TokenChoice>& labels, VerdictWas was) {
  return make_expected_verdict(kScale, labels, was, "4");
}

TEST(ExpectedVerdict, IsTheMeanOverTheLabelsWithVariantsSummed) {
  const auto verdict = read({choice("4", 0.3), choice(" 4", 0.2), choice("\u200B5", 0.25),
                             choice("Four", 0.05), choice("the", 0.1)},
                            VerdictWas::Free);
  ASSERT_TRUE(core::is_scored(verdict));
  EXPECT_NEAR(verdict.score, (4 * 0.55 + 5 * 0.25) / 0.8, 1e-12);
  EXPECT_NEAR(verdict.distribution->captured_mass, 0.8, 1e-12);
  EXPECT_FALSE(verdict.distribution->low_mass);
  ASSERT_EQ(verdict.distribution->shares.size(), 5u);
  EXPECT_NEAR(verdict.distribution->shares[3].probability, 0.55 / 0.8, 1e-12);
  EXPECT_EQ(verdict.distribution->shares[0].probability, 0);
  EXPECT_EQ(verdict.text, "4");
}

TEST(ExpectedVerdict, LittleMassIsNoScoreWhenFreeAndAFlagWhenForced) {
  const std::vector<core::TokenChoice> labels{choice("4", 0.1), choice("2", 0.1)};
  const auto free = read(labels, VerdictWas::Free);
  EXPECT_EQ(free.kind, core::VerdictKind::CannotAssess);
  EXPECT_NEAR(free.distribution->captured_mass, 0.2, 1e-12);
  const auto forced = read(labels, VerdictWas::Forced);
  ASSERT_TRUE(core::is_scored(forced));
  EXPECT_NEAR(forced.score, 3, 1e-12);
  EXPECT_TRUE(forced.distribution->low_mass);
}

TEST(ExpectedVerdict, WhatHasNoLabelIsNoScore) {
  EXPECT_EQ(read({choice("the", 0.9)}, VerdictWas::Free).kind, core::VerdictKind::CannotAssess);
  EXPECT_EQ(read({choice("the", 0.9)}, VerdictWas::Forced).kind, core::VerdictKind::Failed);
  EXPECT_EQ(read({}, VerdictWas::Free).kind, core::VerdictKind::Failed);
  EXPECT_EQ(read({{"4", NAN}}, VerdictWas::Free).kind, core::VerdictKind::Failed);
  EXPECT_EQ(read({{"4", 3.0}}, VerdictWas::Free).kind, core::VerdictKind::Failed);
  EXPECT_EQ(read({choice("45", 0.9)}, VerdictWas::Free).kind, core::VerdictKind::CannotAssess);
}

core::TokenLogprobs token(const std::string& text, std::vector<core::TokenChoice> top) {
  return {{text, -0.5}, std::move(top)};
}

TEST(ExpectedVerdict, TheAlternativesAreThoseWhereTheVerdictStands) {
  core::Reply reply;
  EXPECT_TRUE(find_label_choices(kScale, reply).empty());
  reply.logprobs = {token("\n", {}), token("Score", {choice("Score", 0.6)}), token(":", {}),
                    token(" 4", {choice(" 4", 0.7), choice(" 3", 0.2)})};
  auto choices = find_label_choices(kScale, reply);
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[1].token, " 3");

  reply.logprobs = {token(" ", {}), token("Well", {choice("Well", 0.5), choice("4", 0.4)})};
  choices = find_label_choices(kScale, reply);
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[1].token, "4");

  reply.logprobs = {token("2", {choice("4", 0.5)})};
  EXPECT_EQ(find_label_choices(kScale, reply).back().token, "2") << "the chosen one counts too";
}

}  // namespace
}  // namespace personascope::judge
