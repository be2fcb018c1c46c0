#include "report/sample_plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/sample_table_test.hpp"

namespace personascope::report {
namespace {

TEST(SamplePlan, SpreadComesFromThePilot) {
  const ScoreTable table = make_judged({});
  ScoreTable scores = make_table({table.columns[0].cells}, 10);
  const Pilot pilot = measure_pilot(scores).value();
  const stats::Spread& spread = pilot.spread;
  EXPECT_EQ(pilot.scores, scores.rows());
  EXPECT_EQ(pilot.personas, scores.rows() / 10);
  ASSERT_EQ(pilot.advice->options.size(), 2u);
  EXPECT_LE(pilot.advice->options[0].standard_error, pilot.advice->options[1].standard_error);
  EXPECT_LT(pilot.advice->options[1].standard_error, pilot.advice->standard_error_now);
  EXPECT_EQ(spread.rows_per_cluster, 10u);
  EXPECT_GT(spread.within_variance, 1);
  EXPECT_LT(spread.between_variance, 0.3);
  const SamplePlan plan = make_sample_plan(spread, "a", {.half_width = 0.2}).value();
  EXPECT_EQ(plan.rows.size(), 6u);
  for (std::size_t i = 1; i < plan.rows.size(); ++i) {
    EXPECT_LE(*plan.rows[i].personas, *plan.rows[i - 1].personas);
  }
  const ScoreTable both = make_table({table.columns[0].cells, table.columns[1].cells}, 10);
  EXPECT_LT(measure_pilot(both)->spread.within_variance, spread.within_variance);
}

TEST(SamplePlan, RepeatsOfAQuestionAreNoQuestions) {
  // 4 personas with 2 questions, each drawn twice.
  ScoreTable table = make_table({{1, 2, 3, 4, 2, 3, 4, 5, 1, 1, 4, 4, 5, 4, 3, 1}}, 4);
  for (std::size_t row = 0; row < table.rows(); ++row)
    table.ids.push_back(fmt::format("p{}/{}{}", row / 4, row / 2 % 2, row % 2 == 0 ? "" : "#2"));
  const auto pilot = measure_pilot(table);
  ASSERT_TRUE(pilot) << pilot.error().message;
  EXPECT_EQ(pilot->spread.rows_per_cluster, 2u);
  EXPECT_EQ(pilot->advice->options.size(), 3u) << "more repeats are an option of their own";
  table.ids.clear();
  EXPECT_EQ(measure_pilot(table)->spread.rows_per_cluster, 4u);
  // One question a persona, drawn twice: the personas' means.
  ScoreTable drawn = make_table({{1, 3, 4, 4, 5, 3}}, 2);
  drawn.ids = {"a", "a#2", "b", "b#2", "c", "c#2"};
  EXPECT_NEAR(measure_pilot(drawn)->spread.between_variance, 4.0 / 3, 1e-9);
  EXPECT_EQ(measure_pilot(drawn)->spread.within_variance, 0);
}

TEST(SamplePlan, RefusesWhatSaysNothing) {
  EXPECT_FALSE(measure_pilot(make_table({{1, 2, 3}}, 3)));
  EXPECT_FALSE(measure_pilot(make_table({{2, 2, 2}})));
  EXPECT_FALSE(measure_pilot(make_table({{{}, {}}})));
  EXPECT_EQ(measure_pilot(make_table({{1, 2, 3}}))->spread.within_variance, 0);
  const stats::Spread spread{.between_variance = 1};
  EXPECT_FALSE(make_sample_plan(spread, "", {}));
  EXPECT_FALSE(make_sample_plan(spread, "", {.half_width = 1, .difference = 1}));
  EXPECT_FALSE(make_sample_plan(spread, "", {.half_width = 1e-9}));
  EXPECT_EQ(make_sample_plan(spread, "", {.half_width = 0.5})->rows.size(), 1u);
}

TEST(SamplePlan, ShowsHowFarThePilotMayBeOff) {
  const stats::Spread spread{.between_variance = 1};
  const PlanGoal goal{.half_width = 0.5};
  const auto plan_from = [&](std::size_t personas) {
    return make_sample_plan(spread, "", goal, Pilot{.scores = personas, .personas = personas})
        ->rows[0];
  };
  // The variance of 12 personas may be off by 11 / 3.816 and 11 / 21.92.
  const PlanRow row = plan_from(12);
  EXPECT_EQ(*row.personas, *make_sample_plan(spread, "", goal)->rows[0].personas);
  EXPECT_EQ(*row.at_most,
            *make_sample_plan({.between_variance = 11 / 3.8157}, "", goal)->rows[0].personas);
  EXPECT_EQ(*row.at_least,
            *make_sample_plan({.between_variance = 11 / 21.920}, "", goal)->rows[0].personas);
  EXPECT_GT(*plan_from(3).at_most, 3 * *row.at_most);
  EXPECT_FALSE(make_sample_plan(spread, "", goal)->rows[0].at_most);
}

TEST(SamplePlan, APilotThatSawNoDifferenceOfPersonasStillDoubtsIt) {
  const stats::Spread spread{.between_variance = 0, .within_variance = 1, .rows_per_cluster = 10};
  const Pilot pilot{.spread = spread, .scores = 120, .personas = 12};
  const SamplePlan plan = make_sample_plan(spread, "", {.half_width = 0.2}, pilot).value();
  // The means of 10 questions vary by .1; they may by 11 / 3.8157 as much, and what is more than
  // the questions' own part is the personas', however many questions are asked.
  const double between = 0.1 * (11 / 3.8157 - 1);
  EXPECT_EQ(*plan.rows.back().at_most,
            *make_sample_plan(
                 {.between_variance = between, .within_variance = 1, .rows_per_cluster = 100}, "",
                 {.half_width = 0.2})
                 ->rows.back()
                 .personas);
}

TEST(SamplePlan, ADifferenceByOneRunAssumesACorrelationAndSaysWhich) {
  const stats::Spread spread{.between_variance = 1, .within_variance = 2, .rows_per_cluster = 4};
  const SamplePlan cautious = make_sample_plan(spread, "", {.difference = 0.5}).value();
  EXPECT_EQ(cautious.quantity, Quantity::Difference);
  EXPECT_EQ(cautious.correlation, 0);
  EXPECT_EQ(cautious.spread.between_variance, 2);
  EXPECT_EQ(cautious.spread.within_variance, 4);
  const SamplePlan half =
      make_sample_plan(spread, "", {.difference = 0.5, .correlation = 0.5}).value();
  EXPECT_EQ(half.spread.between_variance, 1);
  EXPECT_LT(*half.rows[0].personas, *cautious.rows[0].personas);
  const Json json = to_json(half);
  EXPECT_EQ(json["variances_of"], "differences");
  EXPECT_EQ(json["assumed_correlation"], 0.5);

  const SamplePlan width = make_sample_plan(spread, "", {.half_width = 0.5}).value();
  EXPECT_EQ(width.spread.between_variance, 1);
  EXPECT_EQ(to_json(width)["variances_of"], "scores");
  EXPECT_TRUE(to_json(width)["assumed_correlation"].is_null());
  EXPECT_FALSE(make_sample_plan(spread, "", {.half_width = 0.5, .correlation = 0.5}));
  EXPECT_FALSE(make_sample_plan(spread, "", {.difference = 0.5, .correlation = 1}));
}

TEST(SamplePlan, TwoRunsOfAPilotAreADifferenceOfTheirOwn) {
  const ScoreTable judged = make_judged({});
  const auto plan_by = [&](std::vector<CellList> columns, const PlanGoal& goal) {
    const Pilot pilot = measure_pilot(make_table(std::move(columns), 10)).value();
    return make_sample_plan(pilot.spread, "", goal, pilot);
  };
  const CellList& first = judged.columns[0].cells;
  const CellList& second = judged.columns[2].cells;
  const SamplePlan two = plan_by({first, second}, {.difference = 0.2}).value();
  EXPECT_EQ(two.quantity, Quantity::Difference);
  EXPECT_FALSE(two.correlation);
  const SamplePlan one = plan_by({first}, {.difference = 0.2}).value();
  EXPECT_EQ(one.correlation, 0);
  EXPECT_LT(*two.rows[0].personas, *one.rows[0].personas);
  EXPECT_FALSE(plan_by({first, second}, {.difference = 0.2, .correlation = 0}));
  // The advice is about the same quantity as the plan.
  const SamplePlan mean = plan_by({first}, {.half_width = 0.2}).value();
  EXPECT_NEAR(one.pilot->advice->standard_error_now,
              std::sqrt(2) * mean.pilot->advice->standard_error_now, 1e-12);
  const Json options = to_json(one)["pilot"]["twice_the_scores"];
  EXPECT_TRUE(options.contains("more_personas") && options.contains("more_questions")) << options;
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
