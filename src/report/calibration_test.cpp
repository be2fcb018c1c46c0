#include "report/calibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/sample_table_test.hpp"

namespace personascope::report {
namespace {

TEST(Calibration, CorrectsTheMeanAndMapsScores) {
  ScoreTable table = make_judged({.shift = 0.5});
  for (std::size_t i = 0; i < 160; ++i) {
    if (i % 2 != 0) table.columns[1].cells[i].reset();
  }
  table.columns[0].cells[1].reset();
  const Calibration result = calibrate(table, stats::Scale{1, 5}, {}).value();
  EXPECT_EQ(result.labels, 80u);
  EXPECT_EQ(result.items, 159u);
  EXPECT_EQ(result.unjudged, 1u);
  EXPECT_LT(result.correction.corrected.value, result.correction.judge_alone.value - 0.2);
  EXPECT_GT(*result.effective_labels, 80);
  ASSERT_EQ(result.map.size(), 5u);
  EXPECT_LT(result.map[0].human, result.map[4].human);
  const auto scores = calibrated_scores(table).value();
  EXPECT_FALSE(scores[1]);
  EXPECT_EQ(
      *scores[0],
      std::ranges::find(result.map, *table.columns[0].cells[0], &CalibratedScore::judge)->human);
}

TEST(Calibration, RefusesWithoutLabels) {
  ScoreTable table = make_judged({});
  for (auto& cell : table.columns[1].cells) cell.reset();
  EXPECT_FALSE(calibrate(table, {}, {}));
}

}  // namespace
}  // namespace personascope::report
