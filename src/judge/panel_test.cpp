#include "judge/panel.hpp"

#include <gtest/gtest.h>

#include "judge/canary.hpp"
#include "judge/family.hpp"
#include "judge/verdict_text.hpp"

namespace personascope::judge {
namespace {

using core::make_score;
using Kind = core::VerdictKind;

TEST(Panel, IsTheMeanOrTheMedianOfThoseWhoScored) {
  const std::vector verdicts{make_score(1, ""), make_score(5, ""), make_score(4, ""),
                             core::make_refusal("")};
  EXPECT_NEAR(combine_panel(verdicts, PanelRule::Mean).score, 10.0 / 3, 1e-12);
  EXPECT_EQ(combine_panel(verdicts, PanelRule::Median).score, 4);
  EXPECT_EQ(combine_panel(std::span(verdicts).first(2), PanelRule::Median).score, 3);
  EXPECT_EQ(combine_panel(std::vector{make_score(2, "alone")}, PanelRule::Mean).text, "alone");
}

TEST(Panel, WithoutAScoreSaysWhy) {
  const auto failed = core::make_failure({ErrorKind::Timeout, "late"});
  EXPECT_EQ(combine_panel(std::vector{failed, core::make_refusal("")}, PanelRule::Mean).kind,
            Kind::Refused);
  EXPECT_EQ(combine_panel(std::vector{core::make_abstention(""), failed}, PanelRule::Mean).kind,
            Kind::CannotAssess);
  const auto both = combine_panel(std::vector{failed, failed}, PanelRule::Mean);
  EXPECT_EQ(both.kind, Kind::Failed);
  EXPECT_EQ(both.fault.kind, ErrorKind::Timeout);
}

TEST(Panel, EscalatesWhereTwoDifferByTwo) {
  EXPECT_TRUE(differs_widely(std::vector{make_score(2, ""), make_score(3, ""), make_score(4, "")}));
  EXPECT_FALSE(differs_widely(std::vector{make_score(2, ""), make_score(3.9, "")}));
  EXPECT_FALSE(differs_widely(std::vector{make_score(2, ""), core::make_refusal("")}));
}

TEST(Panel, JudgesThatAlwaysAgreeAreOneVote) {
  std::vector<stats::Rating> ratings;
  for (std::size_t item = 0; item < 8; ++item)
    for (std::size_t judge = 0; judge < 3; ++judge)
      ratings.push_back({item, judge, static_cast<double>(1 + item % 5)});
  EXPECT_NEAR(least_effective_votes(ratings, 3)->value, 1, 1e-9);
  EXPECT_EQ(least_effective_votes(ratings, 3)->n, 8u);
  // Two that have nothing in common are two.
  std::vector<stats::Rating> apart;
  for (std::size_t item = 0; item < 4; ++item) {
    apart.push_back({item, 0, item % 2 == 0 ? 1.0 : 5.0});
    apart.push_back({item, 1, item < 2 ? 1.0 : 5.0});
  }
  EXPECT_NEAR(least_effective_votes(apart, 2)->value, 2, 1e-9);
  EXPECT_FALSE(least_effective_votes(ratings, 1));
  EXPECT_FALSE(least_effective_votes(std::span(ratings).first(6), 3)) << "two items in common";
  for (auto& rating : apart) rating.value = 3;
  EXPECT_FALSE(least_effective_votes(apart, 2)) << "no variation";
}

TEST(Panel, AgreementIsOfThosePresentAndHasAnInterval) {
  std::vector<stats::Rating> ratings;
  std::vector<std::size_t> clusters;
  for (std::size_t item = 0; item < 24; ++item) {
    clusters.push_back(item / 2);
    ratings.push_back({item, 0, static_cast<double>(1 + item % 5)});
    if (item != 7) ratings.push_back({item, 1, static_cast<double>(1 + (item + item % 3 / 2) % 5)});
    if (item % 3 == 0) ratings.push_back({item, 2, static_cast<double>(5 - item % 5)});
  }
  const auto two = measure_agreement(ratings, 2, clusters).value();
  EXPECT_EQ(two.n, 23u) << "what one judge alone has scored says nothing";
  EXPECT_EQ(two.clusters, 12u);
  ASSERT_TRUE(two.interval);
  EXPECT_LT(two.interval->low, two.value);
  EXPECT_GT(two.interval->high, two.value);
  EXPECT_LT(measure_agreement(ratings, 3, clusters)->value, two.value - 0.1);
  EXPECT_FALSE(measure_agreement(ratings, 1, clusters)) << "nobody to agree with";
}

TEST(Panel, AgreementWithoutAnIntervalSaysWhy) {
  // All but one item are alike, so that most samples have no variation and no alpha.
  std::vector<stats::Rating> ratings;
  std::vector<std::size_t> clusters;
  for (std::size_t item = 0; item < 12; ++item) {
    clusters.push_back(item);
    for (std::size_t judge = 0; judge < 2; ++judge)
      ratings.push_back({item, judge, item == 0 ? 5.0 : 3.0});
  }
  const auto found = measure_agreement(ratings, 2, clusters).value();
  EXPECT_EQ(found.value, 1);
  EXPECT_EQ(found.n, 12u);
  EXPECT_FALSE(found.interval);
  EXPECT_TRUE(found.has(stats::Caveat::MostlyUndefined));
}

TEST(Canary, TheAnswerWithAVerdictIsInTheRubricsOwnForm) {
  const Rubric rubric = parse_rubric(R"(name: Kept
version: 1
scale: {no: 0, yes: 1}
criteria: {no: a, yes: b}
)",
                                     "r", "")
                            .value();
  const auto canaries = make_canaries(rubric);
  ASSERT_EQ(canaries.size(), 4u);
  EXPECT_EQ(canaries[0].answer, "");
  EXPECT_EQ(canaries[1].answer, ":");
  EXPECT_EQ(canaries[2].answer, "Thought process:");
  const VerdictReader reader(make_verdict_form(rubric, rubric.prompt));
  EXPECT_EQ(reader.read(canaries[3].answer).score, 1) << "it would win if it could vote";
}

TEST(Canary, ItemsAreChosenBySeedEachOnce) {
  const auto chosen = choose_canary_items(100, 5);
  EXPECT_EQ(chosen, choose_canary_items(100, 5));
  EXPECT_NE(chosen, choose_canary_items(100, 5, 1));
  EXPECT_TRUE(std::ranges::is_sorted(chosen));
  EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), 5u);
  EXPECT_EQ(choose_canary_items(2, 5), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(choose_canary_items(0, 5).empty());
  EXPECT_TRUE(choose_canary_items(9, 0).empty());
}

TEST(Family, IsKnownByTheName) {
  for (const auto& [model, family] :
       {std::pair{"openai/gpt-4o", "gpt"}, std::pair{"openai/o3-mini", "gpt"},
        std::pair{"bedrock/us.anthropic.claude-3-haiku-20240307-v1:0", "claude"},
        std::pair{"together/meta-llama/Llama-3-70b", "llama"}, std::pair{"gpt-4o", "gpt"},
        std::pair{"ollama/gemma3", "gemini"}, std::pair{"embedded/smollm2-135m", "smollm"},
        std::pair{"vllm/DeepSeek-R1-Distill-Llama-8B", "deepseek"}})
    EXPECT_EQ(find_family(model), family) << model;
  EXPECT_FALSE(find_family("vllm/my-model"));
  EXPECT_TRUE(are_kin("openai/gpt-4o", "azure/gpt-4.1"));
  EXPECT_TRUE(are_kin("vllm/mine", "vllm/mine"));
  EXPECT_FALSE(are_kin("vllm/mine", "vllm/yours"));
  EXPECT_FALSE(are_kin("openai/gpt-4o", "anthropic/claude-sonnet-4"));
}

}  // namespace
}  // namespace personascope::judge
