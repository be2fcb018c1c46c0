#include "report/corrected_differences.hpp"

#include <gtest/gtest.h>

#include "report/sample_table_test.hpp"

namespace personascope::report {
namespace {

constexpr CompareOptions kCorrectOneToFive{.scale = stats::Scale{1, 5}};

// Two runs of 40 personas with 10 items, equally good by people; the judge gives the second up to a
// point more. One item in `every` has labels.
ScoreTable make_favoured(std::size_t every) {
  std::vector<CellList> columns(4);
  for (std::size_t i = 0; i < 400; ++i) {
    Random random(5, "favoured", {}, i);
    const double first = make_score(random, 2 + 2 * random.unit(), 0.5);
    const double second = make_score(random, 2 + 2 * random.unit(), 0.5);
    columns[0].push_back(first);
    columns[1].push_back(std::min(5.0, second + 1));
    const bool is_labelled = i % every == 0;
    columns[2].push_back(is_labelled ? std::optional(first) : std::nullopt);
    columns[3].push_back(is_labelled ? std::optional(second) : std::nullopt);
  }
  return make_table(std::move(columns), 10);
}

TEST(CorrectedDifferences, TakeAwayWhatTheJudgeAdded) {
  const ScoreTable table = make_favoured(3);
  ScoreTable judged = table;
  judged.columns.resize(2);
  EXPECT_EQ(compare_runs(judged, kCorrectOneToFive)->differences[0].verdict, Verdict::Better);
  const auto rows = correct_differences(table, kCorrectOneToFive).value();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].run, "b");
  EXPECT_EQ(rows[0].labels, 134u);
  const stats::Interval interval = *rows[0].difference->interval;
  EXPECT_LT(interval.low, 0);
  EXPECT_GT(interval.high, 0);
  EXPECT_LT(interval.high - interval.low, 0.6);
  EXPECT_EQ(to_json(rows[0])["labels"], 134);
}

TEST(CorrectedDifferences, OfSeveralRunsHaveWiderIntervals) {
  ScoreTable table = make_favoured(3);
  const auto alone = correct_differences(table, kCorrectOneToFive).value();
  ScoreTable three = table;
  three.columns = {table.columns[0], table.columns[1], table.columns[1],
                   table.columns[2], table.columns[3], table.columns[3]};
  const auto both = correct_differences(three, kCorrectOneToFive).value();
  ASSERT_EQ(both.size(), 2u);
  EXPECT_LT(both[0].difference->interval->low, alone[0].difference->interval->low);
}

TEST(CorrectedDifferences, SayWhyTheLabelsDoNotServe) {
  const auto few = correct_differences(make_favoured(80), kCorrectOneToFive).value();
  ASSERT_FALSE(few[0].difference);
  EXPECT_NE(few[0].difference.error().message.find("too few"), std::string::npos);

  // Labels only where the judge sees a large difference.
  ScoreTable chosen = make_favoured(1);
  for (std::size_t i = 0; i < 400; ++i)
    if (*chosen.columns[1].cells[i] - *chosen.columns[0].cells[i] < 2)
      chosen.columns[2].cells[i].reset();
  const auto picked = correct_differences(chosen, kCorrectOneToFive).value();
  ASSERT_FALSE(picked[0].difference);
  EXPECT_NE(picked[0].difference.error().message.find("at random"), std::string::npos);

  ScoreTable uneven = make_favoured(3);
  uneven.columns.pop_back();
  EXPECT_FALSE(correct_differences(uneven, kCorrectOneToFive));
  EXPECT_FALSE(correct_differences(make_favoured(3), {.scale = stats::Scale{1, 2}}));
}

}  // namespace
}  // namespace personascope::report
