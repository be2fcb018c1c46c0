#include "judge/summary.hpp"

#include <gtest/gtest.h>

namespace personascope::judge {
namespace {

const Rubric& rubric() {
  static const Rubric kWarmth = parse_rubric(R"(name: Warmth
version: 1
scale: [1, 2, 3, 4, 5]
criteria: {1: a, 2: b, 3: c, 4: d, 5: e}
)",
                                             "r", "")
                                    .value();
  return kWarmth;
}

Tally::Item make_item(const std::string& cluster, const std::vector<core::Verdict>& verdicts) {
  Tally::Item item;
  item.cluster = cluster;
  item.verdict = combine_panel(verdicts, PanelRule::Mean);
  for (std::size_t place = 0; place < verdicts.size(); ++place) {
    Judgement judgement;
    judgement.verdict = verdicts[place];
    item.judgements.emplace_back(place, std::move(judgement));
  }
  return item;
}

bool has_note(const Json& summary, const std::string& words) {
  for (const Json& note : summary["notes"])
    if (note.get<std::string>().find(words) != std::string::npos) return true;
  return false;
}

TEST(Tally, CountsEveryEndAndBoundsTheMeanByTheMissing) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  core::Verdict flagged = core::make_score(5, "");
  flagged.distribution = core::ScoreDistribution{{}, 0.1, 0, true};
  for (const auto& verdict :
       {core::make_score(4, ""), flagged, core::make_abstention(""), core::make_refusal(""),
        core::make_failure({ErrorKind::Timeout, "late"})})
    tally.add(make_item("", {verdict}));
  const Json summary = tally.summarize();
  const Json& score = summary["score"];
  EXPECT_EQ(
      score["counts"],
      (Json{{"scored", 2}, {"cannot_assess", 1}, {"refused", 1}, {"failed", 1}, {"low_mass", 1}}));
  EXPECT_EQ(score["mean"]["value"], 4.5);
  EXPECT_EQ(score["bounds"], (Json{(9.0 + 3) / 5, (9.0 + 15) / 5}));
  EXPECT_FALSE(summary.contains("panel"));
  EXPECT_TRUE(has_note(summary, "Each line counts as independent"));
}

TEST(Tally, ClustersByWhatGroupsTheItems) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  for (int persona = 0; persona < 12; ++persona)
    for (int question = 0; question < 3; ++question)
      tally.add(make_item(fmt::format("p{}", persona),
                          {core::make_score(2 + persona % 3 + (question == 0), "")}));
  const Json mean = tally.summarize()["score"]["mean"];
  EXPECT_EQ(mean["n"], 36);
  EXPECT_EQ(mean["clusters"], 12);
  EXPECT_EQ(mean["interval"].size(), 2u);
  EXPECT_FALSE(has_note(tally.summarize(), "independent"));
}

TEST(Tally, NothingScoredIsSaidAndNotZero) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  EXPECT_TRUE(tally.summarize()["score"]["bounds"].is_null()) << "nothing at all";
  tally.add(make_item("", {core::make_refusal("")}));
  const Json score = tally.summarize()["score"];
  EXPECT_TRUE(score["mean"].is_null());
  EXPECT_EQ(score["why_no_mean"], "nothing was scored");
  EXPECT_EQ(score["bounds"], (Json{1.0, 5.0}));
}

TEST(Tally, APanelShowsAgreementVotesAndKin) {
  Tally tally(rubric(), {"openai/gpt-4o", "azure/gpt-4.1", "x/late"}, PanelRule::Mean);
  for (int i = 0; i < 8; ++i) {
    Tally::Item item = make_item(
        "p", {core::make_score(1 + i % 5, ""), core::make_score(1 + (i + (i == 3)) % 5, "")});
    item.model = "gpt-4o-mini";
    if (i == 3) {
      Judgement third;
      third.verdict = core::make_score(3, "");
      item.judgements.emplace_back(2, third);
      item.escalated = true;
    }
    tally.add(item);
  }
  const Json summary = tally.summarize();
  EXPECT_EQ(summary["panel"]["escalated"], 1);
  const Json& agreement = summary["panel"]["agreement"];
  EXPECT_GT(agreement["value"], 0.8);
  EXPECT_EQ(agreement["n"], 8);
  EXPECT_EQ(agreement["method"], "Krippendorff alpha, ordinal");
  EXPECT_TRUE(agreement["interval"].is_null());
  EXPECT_EQ(agreement["caveats"][0], "only one persona: no standard error");
  const Json& votes = summary["panel"]["effective_votes_at_least"];
  EXPECT_GT(votes["value"], 1.0);
  EXPECT_LT(votes["value"], 1.2) << "two judges that agree, without the one for escalations";
  EXPECT_EQ(votes["n"], 8);
  EXPECT_TRUE(has_note(summary, "openai/gpt-4o and azure/gpt-4.1 are of one family"));
  EXPECT_TRUE(has_note(summary, "same family as gpt-4o-mini"));
}

TEST(Tally, TheJudgeForEscalationsHasNoPartInTheAgreement) {
  // Asked everywhere, since the others differ everywhere.
  Tally tally(rubric(), {"a", "b", "late"}, PanelRule::Mean);
  Tally two(rubric(), {"a", "b"}, PanelRule::Mean);
  for (int i = 0; i < 8; ++i) {
    const std::vector verdicts{core::make_score(1 + i % 3, ""), core::make_score(3 + i % 3, ""),
                               core::make_score(5 - i % 3, "")};
    two.add(make_item("p", {verdicts[0], verdicts[1]}));
    Tally::Item item = make_item("p", verdicts);
    item.escalated = true;
    tally.add(item);
  }
  const Json panel = tally.summarize()["panel"];
  EXPECT_EQ(panel["agreement"], two.summarize()["panel"]["agreement"]);
  EXPECT_EQ(panel["effective_votes_at_least"],
            two.summarize()["panel"]["effective_votes_at_least"]);
}

TEST(Tally, OrderGapsHaveAnInterval) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean, "town");
  for (int i = 0; i < 12; ++i) {
    Tally::Item item = make_item(fmt::format("t{}", i / 2), {core::make_score(3, "")});
    item.judgements[0].second.order_gap = i % 3;
    tally.add(item);
  }
  const Json gap = tally.summarize()["judges"][0]["order_gap"];
  EXPECT_EQ(gap["value"], 1);
  EXPECT_EQ(gap["n"], 12);
  EXPECT_EQ(gap["clusters"], 6);
  EXPECT_EQ(gap["interval"].size(), 2u);
  EXPECT_EQ(gap["caveats"][0], "fewer than 10 towns: the interval is rough");
}

TEST(Tally, CaveatsAreAboutItemsWhereNothingGroupsThem) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  tally.add(make_item("", {core::make_score(3, "")}));
  EXPECT_EQ(tally.summarize()["score"]["mean"]["caveats"][0], "only one item: no standard error");
}

TEST(Tally, CanariesThatAreRewardedAreNamed) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  tally.add_canary("verdict", 0, core::make_score(5, ""));
  tally.add_canary("empty", 0, core::make_score(1, ""));
  tally.add_canary("colon", 0, core::make_abstention(""));
  const Json summary = tally.summarize();
  const Json& canaries = summary["judges"][0]["canaries"];
  EXPECT_EQ(canaries["mean"], 3);
  EXPECT_EQ(canaries["by_kind"]["verdict"]["mean"], 5);
  EXPECT_TRUE(canaries["by_kind"]["colon"]["mean"].is_null());
  EXPECT_TRUE(
      has_note(summary, "\"verdict\" 5.00 on average; a sound judge gives the lowest score"));
  EXPECT_FALSE(has_note(summary, "\"empty\""));
}

TEST(Tally, CanariesOfSeveralKindsAreOneNote) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  tally.add_canary("verdict", 0, core::make_score(5, ""));
  tally.add_canary("empty", 0, core::make_score(3, ""));
  EXPECT_TRUE(has_note(tally.summarize(), "of the kinds \"verdict\" 5.00, \"empty\" 3.00 on"));
}

TEST(Tally, AJudgeWhoseFailuresTheOthersHideIsNamed) {
  const core::Verdict failure = core::make_failure({ErrorKind::Transient, "the server is down"});
  Tally panel(rubric(), {"a", "b"}, PanelRule::Mean);
  for (int i = 0; i < 3; ++i) panel.add(make_item("p", {core::make_score(4, ""), failure}));
  EXPECT_TRUE(has_note(panel.summarize(), "judge b failed 3 of 3 times, for example: the server"));
  EXPECT_FALSE(has_note(panel.summarize(), "judge a failed"));
  Tally alone(rubric(), {"b"}, PanelRule::Mean);
  alone.add(make_item("p", {failure}));
  EXPECT_FALSE(has_note(alone.summarize(), "failed")) << "the table shows it";
}

core::Verdict make_expected(std::vector<double> probabilities, bool low_mass = false) {
  core::Verdict verdict = core::make_score(0, "");
  verdict.distribution.emplace();
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double score = static_cast<double>(i + 1);
    verdict.distribution->shares.push_back({score, probabilities[i]});
    verdict.score += score * probabilities[i];
  }
  verdict.distribution->low_mass = low_mass;
  return verdict;
}

TEST(Tally, ThePriorOfExpectedScoresIsDividedOut) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  const std::vector<double> prior{0.1, 0.1, 0.1, 0.1, 0.6};
  tally.add(make_item("a", {make_expected(prior, true)}));
  tally.add(make_item("b", {make_expected({0.6, 0.1, 0.1, 0.1, 0.1})}));
  for (const char* canary : {"empty", "colon"}) tally.add_canary(canary, 0, make_expected(prior));
  tally.add_canary("verdict", 0, make_expected({0, 0, 0, 0, 1}));
  const Json summary = tally.summarize();
  const Json& calibrated = summary["judges"][0]["prior_divided_out"];
  EXPECT_EQ(calibrated["content_free"], 2) << "the canary that claims a verdict is no prior";
  EXPECT_NEAR(calibrated["prior"][4].get<double>(), 0.6, 1e-12);
  EXPECT_LT(calibrated["mean"]["value"], summary["judges"][0]["mean"]["value"]);
  EXPECT_EQ(calibrated["has_signal"], true);
  EXPECT_TRUE(has_note(summary, "it distinguishes answers"));
  EXPECT_TRUE(has_note(summary, "1 of 2 scores at low mass"));
}

TEST(Tally, AJudgeThatSaysTheSameOfEverythingCarriesNoSignal) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  const std::vector<double> always{0.1, 0.1, 0.1, 0.1, 0.6};
  tally.add(make_item("a", {make_expected(always)}));
  tally.add(make_item("b", {make_expected({0.1, 0.1, 0.1, 0.11, 0.59})}));
  for (const char* canary : {"empty", "colon"}) tally.add_canary(canary, 0, make_expected(always));
  EXPECT_TRUE(has_note(tally.summarize(), "its scores carry no signal"));
}

TEST(Tally, PlainScoresHaveNoPrior) {
  Tally tally(rubric(), {"j"}, PanelRule::Mean);
  tally.add(make_item("a", {core::make_score(3, "")}));
  tally.add_canary("empty", 0, core::make_score(1, ""));
  EXPECT_FALSE(tally.summarize()["judges"][0].contains("prior_divided_out"));
}

}  // namespace
}  // namespace personascope::judge
