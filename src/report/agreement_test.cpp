#include "report/agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/sample_table_test.hpp"

namespace personascope::report {
namespace {

constexpr AgreementOptions kOneToFive{.scale = stats::Scale{1, 5}};

ScoreTable make_raters(std::size_t raters, std::size_t items, double noise) {
  std::vector<CellList> columns(raters);
  for (std::size_t item = 0; item < items; ++item) {
    Random random(1, "raters", {}, item);
    const double truth = 1 + 4 * random.unit();
    for (CellList& column : columns) column.push_back(make_score(random, truth, noise));
  }
  return make_table(std::move(columns));
}

const Result<stats::Estimate>& find(const std::vector<Coefficient>& list, std::string_view name) {
  return std::ranges::find(list, name, &Coefficient::name)->estimate;
}

TEST(Agreement, IsHighForRatersWhoSeeTheSameAndKnowsItsDoubt) {
  const Agreement result = measure_agreement(make_raters(3, 60, 0.6), kOneToFive).value();
  ASSERT_EQ(result.overall.size(), 6u);
  ASSERT_EQ(result.pairs.size(), 3u);
  for (const Coefficient& coefficient : result.overall) {
    ASSERT_TRUE(coefficient.estimate) << coefficient.name;
    const stats::Estimate& estimate = *coefficient.estimate;
    EXPECT_GT(estimate.value, 0.5) << coefficient.name;
    EXPECT_LT(estimate.interval->low, estimate.value);
    EXPECT_GT(estimate.interval->high, estimate.value);
    EXPECT_LE(estimate.interval->high, 1);
    EXPECT_EQ(estimate.clusters, 60u);
    EXPECT_EQ(estimate.interval_method, "bootstrap, BCa");
    EXPECT_EQ(estimate.method.find(';'), std::string::npos) << estimate.method;
    const Json json = to_json(coefficient)["estimate"];
    EXPECT_EQ(json["interval_method"], "bootstrap, BCa");
  }
  for (const Coefficient& coefficient : result.pairs[0].coefficients) {
    EXPECT_TRUE(coefficient.estimate->interval) << coefficient.name;
  }
}

TEST(Agreement, PerfectRatersDoNotGetAnIntervalOfOnePoint) {
  const Agreement result = measure_agreement(make_raters(2, 60, 0), kOneToFive).value();
  for (const Coefficient& coefficient : result.pairs[0].coefficients) {
    EXPECT_NEAR(coefficient.estimate->value, 1, 1e-12) << coefficient.name;
    EXPECT_NEAR(coefficient.estimate->interval->low, std::pow(0.025, 1.0 / 60), 1e-12)
        << coefficient.name;
    EXPECT_EQ(coefficient.estimate->interval->high, 1);
    EXPECT_TRUE(coefficient.estimate->caveats.empty()) << coefficient.name;
  }
  // Below 5 clusters there is no interval here either.
  const Agreement few = measure_agreement(make_raters(2, 4, 0), kOneToFive).value();
  EXPECT_FALSE(few.pairs[0].coefficients[0].estimate->interval);
}

TEST(Agreement, OneRaterIsNoAgreement) {
  const Agreement result = measure_agreement(make_raters(1, 10, 1), kOneToFive).value();
  for (const AgreementOptions& options : {kOneToFive, AgreementOptions{}}) {
    const Agreement same = measure_agreement(make_raters(1, 10, 1), options).value();
    ASSERT_EQ(same.overall.size(), 6u);
    for (const Coefficient& coefficient : same.overall) {
      ASSERT_FALSE(coefficient.estimate);
      EXPECT_NE(coefficient.estimate.error().message.find("one rater"), std::string::npos)
          << coefficient.name << ": " << coefficient.estimate.error().message;
    }
  }
  EXPECT_TRUE(result.pairs.empty());
}

TEST(Agreement, NothingToPairAndNothingThatVariesSaySo) {
  const Agreement apart =
      measure_agreement(make_table({{1, 2, {}, {}}, {{}, {}, 3, 4}}), kOneToFive).value();
  EXPECT_NE(find(apart.overall, "Krippendorff alpha, ordinal").error().message.find("paired"),
            std::string::npos);
  EXPECT_NE(find(apart.overall, "Fleiss kappa").error().message.find("rated by all"),
            std::string::npos);
  EXPECT_FALSE(apart.pairs[0].coefficients[0].estimate);

  const CellList same(10, 5);
  const Agreement equal = measure_agreement(make_table({same, same}), kOneToFive).value();
  EXPECT_FALSE(find(equal.overall, "Krippendorff alpha, ordinal"));
  EXPECT_FALSE(find(equal.pairs[0].coefficients, "Spearman"));
  EXPECT_EQ(find(equal.overall, "Gwet AC1")->value, 1);  // which is why it is there
}

TEST(Agreement, AScoreThatNeverOccursKeepsItsPlace) {
  const ScoreTable table = make_table({{1, 1, 2, 2, 1, 2}, {1, 2, 2, 2, 1, 1}});
  const auto kappa = [&](double high) {
    const auto result = measure_agreement(table, {.scale = stats::Scale{1, high}});
    return find(result->overall, "Gwet AC1")->value;
  };
  EXPECT_GT(kappa(5), kappa(2));
}

TEST(Agreement, MissingCellsAndCompleteItemsAreCounted) {
  ScoreTable table = make_raters(3, 30, 0.6);
  table.columns[0].cells[3].reset();
  table.columns[2].cells[3].reset();
  table.columns[1].cells[7].reset();
  const Agreement result = measure_agreement(table, kOneToFive).value();
  EXPECT_EQ(result.missing, 3u);
  EXPECT_EQ(result.complete_items, 28u);
  EXPECT_EQ(result.pairs[0].items, 28u);
  EXPECT_EQ(result.pairs[1].items, 29u);
}

TEST(Agreement, ItemsThatCannotBePairedAreNotCounted) {
  ScoreTable table = make_raters(2, 30, 0.6);
  for (std::size_t row = 10; row < 30; ++row) table.columns[1].cells[row].reset();
  table.columns[0].cells[29].reset();
  const Agreement result = measure_agreement(table, kOneToFive).value();
  EXPECT_EQ(find(result.overall, "Krippendorff alpha, ordinal")->n, 10u);
  EXPECT_EQ(find(result.overall, "Gwet AC1")->n, 29u);
}

TEST(Agreement, ClustersAreDrawnAsAWhole) {
  ScoreTable table = make_raters(2, 60, 0.6);
  for (std::size_t row = 0; row < 60; ++row) table.clusters[row] = row / 5;
  const auto alpha = measure_alpha(table, kOneToFive);
  EXPECT_EQ(alpha->interval_method, "cluster bootstrap, BCa");
  EXPECT_EQ(alpha->clusters, 12u);
}

TEST(Agreement, WithoutAScaleKappaAsksForOne) {
  const Agreement result = measure_agreement(make_raters(2, 30, 0.6), {}).value();
  EXPECT_NE(find(result.overall, "Gwet AC1").error().message.find("`scale`"), std::string::npos);
  EXPECT_TRUE(find(result.overall, "Krippendorff alpha, ordinal"));
}

TEST(Agreement, OffTheScaleIsRefused) {
  const auto result = measure_agreement(make_table({{1, 9}, {1, 2}}), kOneToFive);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "a has a score of 9 for row 2: outside the scale 1 to 5");
}

TEST(Agreement, NamesNeedNoScale) {
  ScoreTable table = make_raters(2, 40, 0.4);
  for (ScoreColumn& column : table.columns) {
    for (auto& cell : column.cells) *cell -= 1;
  }
  table.labels = {"v", "w", "x", "y", "z"};
  const Agreement result = measure_agreement(table, {.level = stats::Level::Nominal}).value();
  EXPECT_EQ(result.overall.size(), 3u);
  for (const Coefficient& coefficient : result.overall) EXPECT_TRUE(coefficient.estimate);
}

TEST(Agreement, IsTheSameOnAnyNumberOfThreads) {
  AgreementOptions three = kOneToFive;
  three.threads = 3;
  const ScoreTable table = make_raters(3, 25, 1);
  EXPECT_EQ(to_json(*measure_agreement(table, kOneToFive)),
            to_json(*measure_agreement(table, three)));
}

}  // namespace
}  // namespace personascope::report
