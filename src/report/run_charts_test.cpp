#include "report/run_charts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace personascope::report {
namespace {

core::Metric make_metric(std::string group, double value, const char* unit, bool is_difference) {
  core::Metric metric;
  metric.name = "score";
  metric.group = std::move(group);
  metric.value = value;
  metric.unit = unit;
  metric.is_difference = is_difference;
  metric.n = 10;
  return metric;
}

core::ItemRecord make_scored(std::int64_t position, std::string cluster, std::string label,
                             double score) {
  core::ItemRecord item;
  item.position = position;
  item.id = std::to_string(position);
  item.cluster = std::move(cluster);
  item.label = std::move(label);
  item.outcome = core::Outcome::Scored;
  item.score = score;
  return item;
}

std::vector<std::string> kinds_of(const std::vector<RunChart>& charts) {
  std::vector<std::string> kinds;
  for (const RunChart& chart : charts) kinds.push_back(chart.kind);
  return kinds;
}

const Chart& first_of(const std::vector<RunChart>& charts, const std::string& kind) {
  const auto found = std::ranges::find(charts, kind, &RunChart::kind);
  EXPECT_NE(found, charts.end()) << kind;
  return found->chart;
}

core::Findings make_findings() {
  core::Findings findings;
  findings.headline = make_metric("", 3.5, core::kScoreUnit, false);
  findings.headline->name = "PersonaScore";
  findings.headline->scale = core::Interval{1, 5};
  core::MetricList tasks{"Scores", "task", {}, ""};
  for (const char* task : {"one", "two", "three"})
    tasks.metrics.push_back(make_metric(task, 3, core::kScoreUnit, false));
  tasks.metrics.push_back(*findings.headline);
  findings.add(tasks);
  findings.add(
      core::MetricList{"Effects", "", {make_metric("age", 0.1, core::kShareUnit, true)}, ""});
  findings.add(core::Curve{
      "pass@k", "k", "pass@k", core::kShareUnit, {{2, 0.6, {}, 4}, {1, 0.5, {}, 4}}, ""});
  findings.add(core::Curve{"pass^k", "k", "pass^k", core::kShareUnit, {{1, 0.5, {}, 4}}, ""});
  return findings;
}

TEST(RunCharts, FollowFromTheShapesOfTheFindings) {
  store::RunEntry run;
  run.outcomes[core::Outcome::Scored] = 4;
  const std::vector<core::ItemRecord> items{
      make_scored(0, "p1", "one", 1), make_scored(1, "p1", "one", 3),
      make_scored(2, "p1", "two", 5), make_scored(3, "p2", "two", 4)};
  const auto charts = make_charts(run, make_findings(), items);
  EXPECT_EQ(kinds_of(charts),
            (std::vector<std::string>{"outcomes", "scores", "differences", "radar", "heatmap",
                                      "curves", "distribution"}));
  const auto& scores = std::get<IntervalChart>(first_of(charts, "scores"));
  EXPECT_EQ(scores.rows.size(), 4u);
  EXPECT_EQ(scores.scale->high, 5);
  EXPECT_TRUE(scores.rows.back().is_total);
  EXPECT_EQ(std::get<RadarChart>(first_of(charts, "radar")).spokes.size(), 3u);
  const auto& map = std::get<HeatMap>(first_of(charts, "heatmap"));
  EXPECT_EQ(map.cells[0][0].value, 2);
  EXPECT_EQ(map.cells[0][0].n, 2);
  EXPECT_FALSE(map.cells[1][0].value);
  const auto& curves = std::get<LineChart>(first_of(charts, "curves"));
  ASSERT_EQ(curves.series.size(), 2u);
  EXPECT_EQ(curves.series[0].points[0].x, 1);
  EXPECT_EQ(std::get<OutcomeBars>(first_of(charts, "outcomes")).rows.size(), 3u);
}

TEST(RunCharts, LeaveOutWhatARunDoesNotHave) {
  EXPECT_TRUE(make_charts({}, {}, {}).empty());
  store::RunEntry run;
  run.outcomes[core::Outcome::Failed] = 2;
  EXPECT_EQ(kinds_of(make_charts(run, {}, {})), std::vector<std::string>{"outcomes"});
}

TEST(RunCharts, KeepScoresOfSeveralNamesApart) {
  store::RunEntry run;
  core::ItemRecord item;
  item.scores = {{"completion", 1}, {"personalization", 3}, {"note", "text"}};
  const auto charts = make_charts(run, {}, {item});
  EXPECT_EQ(kinds_of(charts), (std::vector<std::string>{"distribution", "distribution"}));
}

TEST(RunCharts, SplitListsOfSeveralUnits) {
  core::Findings findings;
  findings.add(core::MetricList{"Scores",
                                "dimension",
                                {make_metric("a", 0.4, core::kShareUnit, false),
                                 make_metric("b", 3, core::kScoreUnit, false)},
                                ""});
  const auto charts = make_charts({}, findings, {});
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(title_of(charts[0].chart), "Scores (share)");
}

TEST(RunCharts, LimitTheRowsOfAHeatMapAndSayIt) {
  std::vector<core::ItemRecord> items;
  for (int i = 0; i < 300; ++i)
    for (const char* label : {"one", "two"})
      items.push_back(make_scored(std::ssize(items), "p" + std::to_string(1000 + i), label, 1));
  const auto charts = make_charts({}, {}, items);
  const auto& map = std::get<HeatMap>(first_of(charts, "heatmap"));
  EXPECT_EQ(map.rows.size(), 200u);
  EXPECT_NE(map.title.find("the first 200 of 300"), std::string::npos);
}

}  // namespace
}  // namespace personascope::report
