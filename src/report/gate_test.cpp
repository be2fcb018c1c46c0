#include "report/gate.hpp"

#include <gtest/gtest.h>

#include "report/item_changes.hpp"
#include "report/margin.hpp"
#include "report/outcome_comparison.hpp"

namespace personascope::report {
namespace {

using core::Outcome;

struct Refusing {
  ScoreTable table;
  OutcomeColumns outcomes{2};
};

// The second run refuses every fourth item and fails in one.
Refusing make_refusing() {
  Refusing made;
  made.table.columns = {{"first", {}}, {"second", {}}};
  for (std::size_t row = 0; row < 40; ++row) {
    made.table.ids.push_back(std::to_string(row));
    made.table.clusters.push_back(row);
    const double score = 3.0 + static_cast<double>(row % 2);
    made.table.columns[0].cells.emplace_back(score);
    made.outcomes[0].push_back(Outcome::Scored);
    const Outcome outcome = row % 4 == 0 ? Outcome::Refused
                            : row == 1   ? Outcome::Failed
                                         : Outcome::Scored;
    made.outcomes[1].push_back(outcome);
    made.table.columns[1].cells.push_back(outcome == Outcome::Scored ? std::optional(score)
                                                                     : std::nullopt);
  }
  return made;
}

constexpr CompareOptions kOptions{.scale = stats::Scale{1, 5}};

TEST(Gate, WorstOfItsChecksDecides) {
  const GateCheck passed{"a", GateEnd::Passed, ""}, missed{"b", GateEnd::Missed, ""},
      undecided{"c", GateEnd::Undecided, ""};
  EXPECT_EQ(end_of({}), GateEnd::Passed);
  EXPECT_EQ(end_of({passed, missed}), GateEnd::Missed);
  EXPECT_EQ(end_of({missed, undecided, passed}), GateEnd::Undecided);
}

TEST(Gate, SharesAndNumbersAreLimits) {
  EXPECT_FALSE(exceeds(2, 100, 0.02));
  EXPECT_TRUE(exceeds(3, 100, 0.02));
  EXPECT_TRUE(exceeds(1, 100, 0));
  EXPECT_FALSE(exceeds(5, 10, 5));
  EXPECT_EQ(check_share("", Outcome::Refused, 3, 100, 0.02).end, GateEnd::Missed);
  EXPECT_EQ(check_share("", Outcome::Failed, 3, 100, 0.02).end, GateEnd::Undecided);
  EXPECT_EQ(check_share("m", Outcome::Refused, 3, 100, 0.02).sentence,
            "m: 3 of 100 items refused (3 %), limit 2 %");
}

TEST(Gate, JunitIsEscaped) {
  const std::string text = render_junit("a<b", {{"x", GateEnd::Passed, "fine"},
                                                {"y", GateEnd::Missed, "1 < 2 & \"3\""},
                                                {"z", GateEnd::Undecided, "who\x01knows"}});
  EXPECT_NE(text.find("name=\"a&lt;b\" tests=\"3\" failures=\"1\" errors=\"1\""),
            std::string::npos);
  EXPECT_NE(text.find("<failure message=\"1 &lt; 2 &amp; &quot;3&quot;\"/>"), std::string::npos);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST(OutcomeComparison, RatesAreComparedAsPassesAndFails) {
  const Refusing made = make_refusing();
  const auto found = compare_outcomes(made.table, made.outcomes, kOptions);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2u);
  const OutcomeComparison& refused = found->front();
  EXPECT_EQ(refused.outcome, Outcome::Refused);
  EXPECT_EQ(refused.rates.runs[0].mean->value, 0);
  EXPECT_EQ(refused.rates.runs[1].mean->value, 0.25);
  ASSERT_TRUE(refused.rates.differences[0].mcnemar);
  EXPECT_NEAR(refused.rates.differences[0].mcnemar->p_value, 2 / 1024.0, 1e-12);
  EXPECT_EQ(refused.rates.differences[0].verdict, Verdict::Worse);
  EXPECT_TRUE(compare_outcomes(made.table, {}, kOptions)->empty());
}

TEST(OutcomeComparison, UnscoredItemsCountAsWorstExceptFailedOnes) {
  auto [table, outcomes] = make_refusing();
  const auto bounds = list_bounds(table, {1, 5});
  EXPECT_DOUBLE_EQ(bounds[0].low, bounds[0].high);
  EXPECT_DOUBLE_EQ(bounds[1].high - bounds[1].low, 4 * 11 / 40.0);
  EXPECT_EQ(fill_unscored(table, outcomes, 1), 10u);
  EXPECT_EQ(table.columns[1].cells[0], 1);
  EXPECT_FALSE(table.columns[1].cells[1]);
  const auto compared = compare_runs(table, kOptions);
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->differences[0].verdict, Verdict::Worse);
}

Comparison compare_shifted(double shift, std::size_t rows) {
  ScoreTable table = make_refusing().table;
  for (std::size_t row = 0; row < table.rows(); ++row)
    table.columns[1].cells[row] = *table.columns[0].cells[row] + shift +
                                  (row % 3 == 0   ? 0.5
                                   : row % 3 == 1 ? -0.5
                                                  : 0);
  for (ScoreColumn& column : table.columns) column.cells.resize(rows);
  table.clusters.resize(rows);
  table.ids.resize(rows);
  return compare_runs(table, {.scale = stats::Scale{0, 6}}).value();
}

TEST(MarginTest, DecidesByTheIntervalAtTwiceAlpha) {
  const Comparison equal = compare_shifted(0, 39);
  const MarginTest wide = test_margin(equal.differences[0], 0.5, equal);
  EXPECT_EQ(wide.verdict, MarginVerdict::Equivalent);
  EXPECT_TRUE(wide.is_not_worse);
  EXPECT_FALSE(wide.clusters_needed);
  // By hand: deviation sqrt(13 * 2 * .25 / 38), t(.95, 38) = 1.685954.
  const double half = 1.685954458 * std::sqrt(6.5 / 38 / 39);
  EXPECT_NEAR(wide.interval->high, half, 1e-6);
  const MarginTest narrow = test_margin(equal.differences[0], 0.05, equal);
  EXPECT_EQ(narrow.verdict, MarginVerdict::Undecided);
  EXPECT_FALSE(narrow.is_not_worse);
  // (1.6449 + .8416)^2 variance / margin^2.
  EXPECT_NEAR(static_cast<double>(*narrow.clusters_needed), 6.1826 * 6.5 / 38 / 0.0025, 2);
  const Comparison worse = compare_shifted(-0.4, 39);
  EXPECT_EQ(test_margin(worse.differences[0], 0.2, worse).verdict, MarginVerdict::Worse);
  EXPECT_TRUE(test_margin(worse.differences[0], 0.8, worse).is_not_worse);
}

TEST(MarginTest, FewClustersAndConstantScoresGiveNoFalseCertainty) {
  const Comparison few = compare_shifted(0, 3);
  EXPECT_FALSE(test_margin(few.differences[0], 5, few).is_not_worse);
  ScoreTable same = make_refusing().table;
  same.columns[1] = same.columns[0];
  same.columns[1].name = "again";
  const Comparison constant = compare_runs(same, kOptions).value();
  const MarginTest test = test_margin(constant.differences[0], 0.5, constant);
  ASSERT_TRUE(test.interval);
  EXPECT_NEAR(test.interval->low, -4 * (1 - std::pow(0.05, 1 / 40.0)), 1e-9);
  EXPECT_TRUE(test.is_not_worse);
  EXPECT_FALSE(test_margin(constant.differences[0], 0.1, constant).is_not_worse);
}

TEST(ItemChanges, WhatGotWorseComesFirst) {
  RunItems runs{"run", {}, {}};
  ScoreTable first, second;
  ScoreColumn before{"a", {}}, after{"b", {}};
  const std::optional<double> scores[][2] = {{3, 4}, {4, {}}, {5, 2}, {{}, 3}, {3, 3}};
  for (const auto& [was, is] : scores) {
    core::ItemRecord item;
    item.id = std::to_string(runs.items.size());
    runs.items.push_back(item);
    before.cells.push_back(was);
    after.cells.push_back(is);
  }
  first.columns = {before};
  second.columns = {after};
  const auto found = list_item_changes(runs, first, runs, second, Direction::HigherIsBetter);
  std::string order;
  for (const ItemChange& item : found) order += item.id;
  EXPECT_EQ(order, "12403");
  EXPECT_TRUE(is_worse(found[1], Direction::HigherIsBetter));
  EXPECT_FALSE(is_worse(found[2], Direction::HigherIsBetter));
  EXPECT_EQ(list_item_changes(runs, first, runs, second, Direction::LowerIsBetter)[1].id, "0");
  std::string text;
  ASSERT_TRUE(write_item_changes(found, RowFormat::Csv, [&](std::string_view part) {
    text += part;
    return Result<void>{};
  }));
  EXPECT_TRUE(text.starts_with("id,cluster,label,change,first_score,second_score,"));
}

}  // namespace
}  // namespace personascope::report
