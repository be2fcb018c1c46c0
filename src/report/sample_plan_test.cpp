#include "report/sample_plan.hpp"

#include <gtest/gtest.h>

#include "report/sample_table_test.hpp"

namespace personascope::report {
namespace {

TEST(SamplePlan, SpreadComesFromThePilot) {
  const ScoreTable table = make_judged({});
  ScoreTable scores = make_table({table.columns[0].cells}, 10);
  const stats::Spread spread = estimate_spread(scores).value();
  EXPECT_EQ(spread.rows_per_cluster, 10u);
  EXPECT_GT(spread.within_variance, 1);
  EXPECT_LT(spread.between_variance, 0.3);
  const SamplePlan plan = make_sample_plan(spread, "a", {.half_width = 0.2}).value();
  EXPECT_EQ(plan.rows.size(), 6u);
  for (std::size_t i = 1; i < plan.rows.size(); ++i) {
    EXPECT_LE(*plan.rows[i].personas, *plan.rows[i - 1].personas);
  }
  const ScoreTable both = make_table({table.columns[0].cells, table.columns[1].cells}, 10);
  EXPECT_LT(estimate_spread(both)->within_variance, spread.within_variance);
}

TEST(SamplePlan, RefusesWhatSaysNothing) {
  EXPECT_FALSE(estimate_spread(make_table({{1, 2, 3}}, 3)));
  EXPECT_FALSE(estimate_spread(make_table({{2, 2, 2}})));
  EXPECT_FALSE(estimate_spread(make_table({{{}, {}}})));
  EXPECT_EQ(estimate_spread(make_table({{1, 2, 3}}))->within_variance, 0);
  const stats::Spread spread{.between_variance = 1};
  EXPECT_FALSE(make_sample_plan(spread, "", {}));
  EXPECT_FALSE(make_sample_plan(spread, "", {.half_width = 1, .difference = 1}));
  EXPECT_FALSE(make_sample_plan(spread, "", {.half_width = 1e-9}));
  EXPECT_EQ(make_sample_plan(spread, "", {.half_width = 0.5})->rows.size(), 1u);
}

TEST(SamplePlan, TakesAsManyPersonasAsASignFlipCanDecideOn) {
  const stats::Spread spread{.between_variance = 0.01};
  EXPECT_EQ(make_sample_plan(spread, "", {.difference = 10})->rows[0].personas, 6u);
  PlanGoal strict{.difference = 10};
  strict.test.alpha = 0.01;
  EXPECT_EQ(make_sample_plan(spread, "", strict)->rows[0].personas, 8u);
}

}  // namespace
}  // namespace personascope::report
