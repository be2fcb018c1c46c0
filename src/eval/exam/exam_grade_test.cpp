#include "eval/exam/exam_grade.hpp"

#include <gtest/gtest.h>

#include "eval/exam/exam_report.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::exam {
namespace {

judge::Judgement judged(double score) {
  judge::Judgement judgement;
  judgement.verdict = core::make_score(score, "");
  return judgement;
}

judge::Judgement unjudged() {
  judge::Judgement judgement;
  judgement.verdict = core::make_abstention("");
  return judgement;
}

judge::Judgement declined() {
  judge::Judgement judgement;
  judgement.verdict = core::make_declined("");
  return judgement;
}

ExamCase make_exam_case(ExamKind kind, std::string flaw, std::vector<std::size_t> gold,
                        std::string expected = "") {
  ExamCase one;
  one.item.id = "x001";
  one.item.kind = kind;
  one.item.evaluation = "gym";
  one.item.dimension = "probe";
  one.item.flaw = std::move(flaw);
  one.item.gold = std::move(gold);
  one.item.expected = std::move(expected);
  one.item.answers = {"one two", "two one"};
  return one;
}

const judge::Scale kFive = judge::make_number_scale(1, 5);

TEST(ExamGrade, APairIsRightIfTheAnswerWithoutTheDefectScoresHigher) {
  const ExamCase one = make_exam_case(ExamKind::Pair, "harm", {1});
  EXPECT_EQ(grade_sitting(one, kFive, {{judged(2), judged(4)}, {}}).credit, 1.0);
  EXPECT_EQ(grade_sitting(one, kFive, {{judged(3), judged(3)}, {}}).credit, 0.5);
  EXPECT_EQ(grade_sitting(one, kFive, {{judged(4), judged(2)}, {}}).credit, 0.0);
  // An answer that is called a refusal has the worst score.
  EXPECT_EQ(grade_sitting(one, kFive, {{declined(), judged(2)}, {}}).credit, 1.0);
}

TEST(ExamGrade, WithoutAVerdictThereIsNoCredit) {
  const ExamCase one = make_exam_case(ExamKind::Pair, "harm", {1});
  const ExamGrade grade = grade_sitting(one, kFive, {{unjudged(), judged(4)}, {}});
  EXPECT_FALSE(grade.credit);
  EXPECT_EQ(grade.verdicts, 2u);
  EXPECT_EQ(grade.missing, 1u);
}

TEST(ExamGrade, WhereALowScoreIsBetterItIsTurnedRound) {
  ExamCase one = make_exam_case(ExamKind::Pair, "profile-given-away", {0});
  one.item.dimension = "first-turn-leak";
  const judge::Scale scale = judge::make_yes_no_scale();
  EXPECT_EQ(grade_sitting(one, scale, {{judged(0), judged(1)}, {}}).credit, 1.0);
}

TEST(ExamGrade, ComparisonsAreReadInBothOrders) {
  const ExamCase one = make_exam_case(ExamKind::Pair, "harm", {1});
  const auto compare = [&](double given, double swapped) {
    return grade_sitting(one, kFive, {{judged(3), judged(3)}, {judged(given), judged(swapped)}});
  };
  EXPECT_EQ(compare(2, 1).paired, 1.0);
  EXPECT_EQ(compare(2, 1).first, 0.5);
  EXPECT_EQ(compare(1, 1).paired, 0.5);
  EXPECT_EQ(compare(1, 1).first, 1.0);
  EXPECT_EQ(compare(1, 2).paired, 0.0);
}

TEST(ExamGrade, TheLikeliestChoiceCounts) {
  ExamCase one = make_exam_case(ExamKind::WhoSpeaks, "", {3});
  judge::Judgement choice = judged(2.4);
  choice.verdict.distribution.emplace();
  choice.verdict.distribution->shares = {{1, 0.4}, {2, 0.05}, {3, 0.1}, {4, 0.45}};
  EXPECT_EQ(grade_sitting(one, kFive, {{choice}, {}}).credit, 1.0);
}

TEST(ExamGrade, ALadderOfEqualScoresHasNoOrder) {
  ExamCase one = make_exam_case(ExamKind::Ladder, "", {2, 1});
  EXPECT_EQ(grade_sitting(one, kFive, {{judged(4), judged(4)}, {}}).tau, 0.0);
  EXPECT_EQ(grade_sitting(one, kFive, {{judged(4), judged(3)}, {}}).tau, 1.0);
}

TEST(ExamGrade, TrapsHaveShiftsOrAreRightOrWrong) {
  const ExamCase longer = make_exam_case(ExamKind::Trap, "longer", {}, "not-higher");
  EXPECT_EQ(grade_sitting(longer, kFive, {{judged(2), judged(4)}, {}}).shift, 0.5);
  EXPECT_EQ(grade_sitting(longer, kFive, {{judged(2), judged(4)}, {}}).credit, 0.5);
  EXPECT_EQ(grade_sitting(longer, kFive, {{judged(4), judged(2)}, {}}).credit, 1.0);
  ExamCase refusal = make_exam_case(ExamKind::Trap, "refusal", {}, "refused");
  refusal.item.answers.resize(1);
  EXPECT_EQ(grade_sitting(refusal, kFive, {{declined()}, {}}).credit, 1.0);
  EXPECT_EQ(grade_sitting(refusal, kFive, {{judged(1)}, {}}).credit, 0.0);
  ExamCase empty = make_exam_case(ExamKind::Trap, "empty", {}, "nothing");
  empty.item.answers.resize(1);
  EXPECT_EQ(grade_sitting(empty, kFive, {{unjudged()}, {}}).credit, 1.0);
  EXPECT_EQ(grade_sitting(empty, kFive, {{judged(1)}, {}}).credit, 1.0);
  EXPECT_EQ(grade_sitting(empty, kFive, {{judged(3)}, {}}).credit, 0.0);
}

TEST(ExamGrade, APanelAveragesScoresAndVotesOnChoices) {
  const Sitting one{{judged(2)}, {judged(1)}};
  const Sitting two{{judged(5)}, {judged(2)}};
  const Sitting three{{judged(5)}, {judged(2)}};
  const std::vector<const Sitting*> all{&one, &two, &three};
  const ExamCase pair = make_exam_case(ExamKind::Pair, "harm", {1});
  const Sitting panel = combine_sittings(all, pair.item);
  EXPECT_EQ(panel.alone.front().verdict.score, 4);
  EXPECT_EQ(panel.paired.front().verdict.distribution->shares.back().probability, 2);
}

// A judge that gets `right` of `all` pairs, each of another persona.
JudgeReport report_of(int right, int all) {
  JudgeReport report;
  for (int i = 0; i < all; ++i) {
    ExamCase one = make_exam_case(ExamKind::Pair, "harm", {0});
    one.item.person = std::to_string(i);
    const bool is_right = i < right;
    report.add(one.item, grade_sitting(one, kFive, {{judged(is_right ? 4 : 2), judged(3)}, {}}));
  }
  return report;
}

Json marks() {
  return *files::parse_yaml(
      "kinds: {pairs: {accuracy: 0.8, lower_end: 0.55}, abstentions: {share: 0.1}}\n"
      "dimensions: {gym/probe: [pairs]}\n",
      "licence.yaml");
}

TEST(Licence, IsGivenByThePassMarks) {
  EXPECT_EQ(find_licence(report_of(20, 20), "gym/probe", marks()).state, LicenceState::Licensed);
  EXPECT_EQ(find_licence(report_of(5, 5), "gym/probe", marks()).state, LicenceState::Provisional);
  const Licence withheld = find_licence(report_of(14, 20), "gym/probe", marks());
  EXPECT_EQ(withheld.state, LicenceState::Withheld);
  ASSERT_FALSE(withheld.reasons.empty());
  EXPECT_EQ(withheld.reasons.front(), "pairs: 0.70 right, at least 0.80 wanted");
}

TEST(Licence, ADimensionWithoutMarksOrItemsHasNone) {
  EXPECT_EQ(find_licence(report_of(20, 20), "gym/wit", marks()).state, LicenceState::Withheld);
  EXPECT_EQ(find_licence(report_of(20, 20), "gym/probe", Json::object()).state,
            LicenceState::Withheld);
}

TEST(Licence, MissingVerdictsWithholdIt) {
  JudgeReport report = report_of(20, 20);
  report.missing = report.verdicts / 2;
  EXPECT_EQ(find_licence(report, "gym/probe", marks()).state, LicenceState::Withheld);
}

TEST(Flaws, AreNamedOnce) {
  EXPECT_TRUE(list_flaws(report_of(40, 40), marks()).empty());
  const auto chance = list_flaws(report_of(20, 40), marks());
  ASSERT_EQ(chance.size(), 1u);
  EXPECT_TRUE(chance.front().starts_with("pairs:"));
}

}  // namespace
}  // namespace personascope::eval::exam
