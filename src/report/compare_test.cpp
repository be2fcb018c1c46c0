#include "report/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/sample_table_test.hpp"

namespace personascope::report {
namespace {

constexpr CompareOptions kCompareOneToFive{.scale = stats::Scale{1, 5}};

// Three runs of 20 personas with 10 questions; b is half a point above a, c is like a.
ScoreTable make_runs() {
  std::vector<CellList> columns(3);
  for (std::size_t i = 0; i < 200; ++i) {
    Random random(1, "runs", {}, i / 10);
    const double level = 2.5 + random.unit();
    Random own(2, "runs", {}, i);
    columns[0].push_back(make_score(own, level, 1));
    columns[1].push_back(make_score(own, level + 0.5, 1));
    columns[2].push_back(make_score(own, level, 1));
  }
  return make_table(std::move(columns), 10);
}

TEST(Compare, FindsWhatIsThereAndSaysWhatItCouldHaveFound) {
  const Comparison result = compare_runs(make_runs(), kCompareOneToFive).value();
  ASSERT_EQ(result.differences.size(), 2u);
  EXPECT_EQ(result.differences[0].verdict, Verdict::Better);
  EXPECT_EQ(result.differences[1].verdict, Verdict::NoDifferenceSeen);
  EXPECT_GT(*result.differences[1].comparison->minimum_detectable, 0);
  EXPECT_EQ(result.differences[0].claim_method, "sign flip, max-T step down");
  EXPECT_EQ(result.clusters, 20u);
  EXPECT_FALSE(has_worse(result));
  CompareOptions lower = kCompareOneToFive;
  lower.better = Better::Lower;
  EXPECT_TRUE(has_worse(compare_runs(make_runs(), lower).value()));
}

TEST(Compare, RefusesScoresOutsideTheScale) {
  const auto result = compare_runs(make_runs(), {.scale = stats::Scale{1, 2}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Invalid);
  EXPECT_TRUE(result.error().message.ends_with("for row 1: outside the scale 1 to 2"))
      << result.error().message;
}

TEST(Compare, IsTheSameOnAnyNumberOfThreads) {
  CompareOptions four = kCompareOneToFive;
  four.threads = 4;
  EXPECT_EQ(to_json(compare_runs(make_runs(), kCompareOneToFive).value()),
            to_json(compare_runs(make_runs(), four).value()));
}

TEST(Compare, LeavesMissingCellsOutAndCountsThem) {
  ScoreTable table = make_runs();
  table.columns[1].cells[0].reset();
  table.columns[0].cells[5].reset();
  const Comparison result = compare_runs(table, kCompareOneToFive).value();
  EXPECT_EQ(result.differences[0].missing, 2u);
  EXPECT_EQ(result.differences[0].comparison->difference.n, 198u);
  EXPECT_EQ(result.runs[1].missing, 1u);
}

TEST(Compare, NothingPairableIsAReasonAndNoCrash) {
  const Comparison result =
      compare_runs(make_table({{1, 2, {}, {}}, {{}, {}, 3, 4}}), kCompareOneToFive).value();
  EXPECT_FALSE(result.differences[0].comparison);
  EXPECT_EQ(result.differences[0].verdict, Verdict::Undecidable);
  EXPECT_NE(render_json(to_json(result)).find("undefined"), std::string::npos);
  EXPECT_EQ(result.differences[0].why, "no item has a score in both");
}

TEST(Compare, OneClusterDecidesNothing) {
  const Comparison result =
      compare_runs(make_table({{1, 2, 1, 2}, {5, 5, 4, 5}}, 4), kCompareOneToFive).value();
  EXPECT_EQ(result.differences[0].verdict, Verdict::Undecidable);
  EXPECT_FALSE(result.differences[0].comparison->difference.interval);
  EXPECT_TRUE(result.differences[0].comparison->difference.has(stats::Caveat::NoError));
  EXPECT_TRUE(result.differences[0].why.ends_with("there is 1")) << result.differences[0].why;
}

TEST(Compare, SaysWhyItCannotDecide) {
  const CellList low(5, 2), high(5, 3);
  const RunDifference five = compare_runs(make_table({low, high}), {})->differences[0];
  EXPECT_EQ(five.verdict, Verdict::Undecidable);
  EXPECT_NE(five.why.find("needs at least 6 clusters"), std::string::npos) << five.why;
  EXPECT_NE(five.why.find("there are 5"), std::string::npos) << five.why;
  const CellList same(10, 2);
  const RunDifference equal = compare_runs(make_table({same, same}), {})->differences[0];
  EXPECT_EQ(equal.verdict, Verdict::NoDifferenceSeen);
  EXPECT_NE(equal.why.find("do not vary"), std::string::npos) << equal.why;
  EXPECT_EQ(compare_runs(make_runs(), kCompareOneToFive)->differences[0].why, "");
}

TEST(Compare, WarnsOfRowsTakenAsIndependentAndOfAnUnknownScale) {
  const ScoreTable alone = make_table({{1, 2, 3}, {2, 3, 3}});
  const Json json = to_json(compare_runs(alone, {}).value());
  ASSERT_EQ(json["warnings"].size(), 2u);
  EXPECT_NE(json["warnings"][0].get<std::string>().find("`cluster`"), std::string::npos);
  EXPECT_NE(json["warnings"][1].get<std::string>().find("`scale`"), std::string::npos);
  EXPECT_TRUE(compare_runs(make_runs(), kCompareOneToFive)->warnings.empty());
}

TEST(Compare, AConstantDifferenceIsFoundBySigns) {
  const CellList low(10, 2), high(10, 3);
  const Comparison result = compare_runs(make_table({low, high}), kCompareOneToFive).value();
  EXPECT_EQ(result.differences[0].verdict, Verdict::Better);
  EXPECT_FALSE(result.differences[0].comparison->p_value);  // no variation, no t
  const Comparison same = compare_runs(make_table({low, low}), kCompareOneToFive).value();
  EXPECT_EQ(same.differences[0].verdict, Verdict::NoDifferenceSeen);
  EXPECT_EQ(same.differences[0].sign_flip->p_value, 1);
}

TEST(Compare, PassesAndFailsAreRatesWithMcNemar) {
  CellList first(40, 1), second(40, 1);
  const Comparison none = compare_runs(make_table({first, second}), {}).value();
  EXPECT_EQ(none.differences[0].mcnemar->p_value, 1);  // no discordant pair
  for (std::size_t i = 0; i < 8; ++i) second[i] = 0;
  const Comparison result = compare_runs(make_table({first, second}), {}).value();
  EXPECT_NEAR(result.differences[0].mcnemar->p_value, 2.0 / 256, 1e-12);
  EXPECT_EQ(result.scale->high, 1);
  EXPECT_EQ(result.runs[1].mean->method, "Wilson");
  EXPECT_TRUE(has_worse(result));
  EXPECT_FALSE(compare_runs(make_table({first, second}, 2), {})->differences[0].mcnemar);
}

TEST(Compare, WarnsWhereOneRunIsAtTheEndOfTheScale) {
  ScoreTable table = make_runs();
  for (auto& cell : table.columns[1].cells) cell = 5;
  const Comparison result = compare_runs(table, kCompareOneToFive).value();
  EXPECT_TRUE(result.differences[0].comparison->difference.has(stats::Caveat::NearScaleEnd));
  EXPECT_FALSE(result.differences[1].comparison->difference.has(stats::Caveat::NearScaleEnd));
}

TEST(Compare, ManyRowsRestOnTheTTest) {
  CellList first(30'000), second(30'000);
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] = static_cast<double>(i % 5);
    second[i] = static_cast<double>((i + i / 7) % 5);
  }
  const Comparison result = compare_runs(make_table({first, second}), {}).value();
  EXPECT_FALSE(result.differences[0].sign_flip);
  EXPECT_EQ(result.differences[0].claim_method, "paired t");
  EXPECT_EQ(result.differences[0].verdict, Verdict::NoDifferenceSeen);
}

TEST(Compare, ManyRowsThatDoNotVaryAreDecidedAllTheSame) {
  const CellList low(30'000, 2), high(30'000, 3);
  const RunDifference higher = compare_runs(make_table({low, high}), {})->differences[0];
  EXPECT_EQ(higher.verdict, Verdict::Better);
  EXPECT_EQ(higher.claim_method, "signs");
  const Comparison both = compare_runs(make_table({low, low, high}), {}).value();
  EXPECT_EQ(both.differences[0].verdict, Verdict::NoDifferenceSeen);
  EXPECT_NE(both.differences[0].why.find("do not vary"), std::string::npos);
  EXPECT_EQ(both.differences[1].verdict, Verdict::Better);
  EXPECT_EQ(both.differences[1].claim_method, "signs, Holm");
}

TEST(Compare, FewPairsAmongManyRowsAreAReason) {
  CellList first(30, 1), second(30);
  for (std::size_t i = 0; i < 3; ++i) second[i] = static_cast<double>(2 + i);
  const RunDifference found =
      compare_runs(make_table({first, second}), {.alpha = 1e-5})->differences[0];
  EXPECT_EQ(found.verdict, Verdict::Undecidable);
  EXPECT_EQ(found.why, "too few clusters have a pair of scores for a test");
}

TEST(Compare, AnAlphaThatFlipsCannotReachRestsOnTheTTest) {
  CellList first(50), second(50);
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] = static_cast<double>(i % 5);
    second[i] = static_cast<double>(i % 5) + 3 + 0.01 * static_cast<double>(i % 3);
  }
  const RunDifference found =
      compare_runs(make_table({first, second}), {.alpha = 1e-5})->differences[0];
  EXPECT_EQ(found.claim_method, "paired t");
  EXPECT_EQ(found.verdict, Verdict::Better);
  EXPECT_EQ(compare_runs(make_table({first, second}), {.alpha = 1e-3})->differences[0].claim_method,
            "sign flip");
  // 24 clusters have too few patterns for this alpha, and the flips are random anyway.
  first.resize(24);
  second.resize(24);
  const RunDifference fewer =
      compare_runs(make_table({first, second}), {.alpha = 1e-9})->differences[0];
  EXPECT_EQ(fewer.claim_method, "paired t");
  EXPECT_EQ(fewer.verdict, Verdict::Better);
}

TEST(Compare, SeveralRunsHaveSimultaneousIntervalsAndAnHonestDetectableDifference) {
  ScoreTable three = make_runs();
  ScoreTable two = three;
  two.columns.erase(two.columns.begin() + 1);
  const auto among_three = *compare_runs(three, kCompareOneToFive)->differences[1].comparison;
  const auto alone = *compare_runs(two, kCompareOneToFive)->differences[0].comparison;
  EXPECT_EQ(among_three.difference.value, alone.difference.value);
  EXPECT_LT(among_three.difference.interval->low, alone.difference.interval->low);
  EXPECT_GT(among_three.difference.interval->high, alone.difference.interval->high);
  EXPECT_GT(*among_three.minimum_detectable, *alone.minimum_detectable);
  EXPECT_NE(among_three.difference.method.find("simultaneous"), std::string::npos);
}

// Nine runs of 6 personas with 5 questions; the last is `gain` above the others.
ScoreTable make_many_runs(double gain) {
  std::vector<CellList> columns(9);
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t run = 0; run < columns.size(); ++run) {
      Random random(3, "few", {}, 100 * run + i);
      const double level = random.unit();
      columns[run].push_back(level + (run == 8 ? gain : 0));
    }
  return make_table(columns, 5);
}

TEST(Compare, ManyRunsOnFewPersonasFindOnlyLargeDifferencesAndSayHowLarge) {
  const Comparison result = compare_runs(make_many_runs(0), {}).value();
  ASSERT_EQ(result.clusters, 6u);
  for (const RunDifference& difference : result.differences)
    EXPECT_EQ(difference.verdict, Verdict::NoDifferenceSeen);
  const RunDifference& last = result.differences.back();
  ASSERT_TRUE(last.comparison->minimum_detectable);
  const double error = *last.comparison->difference.standard_error;
  EXPECT_GT(*last.comparison->minimum_detectable, 6 * error);
  // What is far above is found, what is far below is not.
  EXPECT_EQ(compare_runs(make_many_runs(60 * error), {})->differences.back().verdict,
            Verdict::Better);
  EXPECT_EQ(compare_runs(make_many_runs(error), {})->differences.back().verdict,
            Verdict::NoDifferenceSeen);
  EXPECT_TRUE(last.comparison->difference.interval);
}

TEST(Compare, SaysWhereNoDifferenceCouldBeFound) {
  // Every difference is 1 or -1: two of 32 sign patterns reach the largest statistic, one a run.
  const CellList baseline{3, 3, 3, 3, 3, 3};
  const Comparison result =
      compare_runs(make_table({baseline, {4, 4, 4, 2, 2, 2}, {4, 2, 4, 2, 4, 2}}), {}).value();
  for (const RunDifference& difference : result.differences) {
    EXPECT_EQ(difference.verdict, Verdict::NoDifferenceSeen);
    EXPECT_FALSE(difference.comparison->minimum_detectable);
    EXPECT_EQ(difference.why_code, "not_detectable");
  }
  EXPECT_EQ(to_json(result)["differences"][0]["why_code"], "not_detectable");
}

TEST(Compare, RunsThatNeverDifferAreNotShownToBeEqual) {
  const CellList same(100, 4);
  const Comparison result = compare_runs(make_table({same, same}, 5), kCompareOneToFive).value();
  const auto& difference = result.differences[0].comparison->difference;
  EXPECT_EQ(difference.value, 0);
  // 3.6 % of items may differ without one of 100 being seen with a chance of 2.5 %.
  EXPECT_NEAR(difference.interval->high, 4 * (1 - std::pow(0.025, 0.01)), 1e-12);
  EXPECT_EQ(difference.interval->low, -difference.interval->high);
  EXPECT_TRUE(difference.has(stats::Caveat::NoVariation));
  EXPECT_FALSE(compare_runs(make_table({same, same}, 5), {})
                   ->differences[0]
                   .comparison->difference.interval);
}

TEST(Compare, WeighsPersonasAlikeIfAsked) {
  // One persona has 91 of 100 rows and gains nothing; nine others gain a point each.
  CellList first(100, 3), second(100, 3);
  ScoreTable table = make_table({first, second}, 1);
  for (std::size_t i = 0; i < 100; ++i) {
    table.clusters[i] = i < 91 ? 0 : i;
    table.columns[0].cells[i] = i % 2 == 0 ? 3 : 2;
    table.columns[1].cells[i] = *table.columns[0].cells[i] + (i < 91 ? 0 : 1);
  }
  CompareOptions options = kCompareOneToFive;
  const RunDifference by_row = compare_runs(table, options)->differences[0];
  EXPECT_NEAR(by_row.comparison->difference.value, 0.09, 1e-12);
  EXPECT_TRUE(by_row.comparison->difference.has(stats::Caveat::DominantCluster));
  options.weight = stats::Weight::Cluster;
  const Comparison by_persona = compare_runs(table, options).value();
  EXPECT_NEAR(by_persona.differences[0].comparison->difference.value, 0.9, 1e-12);
  EXPECT_EQ(by_persona.differences[0].verdict, Verdict::Better);
  EXPECT_EQ(to_json(by_persona)["estimand"], "mean of the clusters' means");
}

TEST(Compare, NeedsTwoRuns) {
  EXPECT_FALSE(compare_runs(make_table({{1, 2}}), {}));
}

}  // namespace
}  // namespace personascope::report
