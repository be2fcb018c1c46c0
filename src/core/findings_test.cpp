#include "core/findings.hpp"

#include <gtest/gtest.h>

#include "core/stored_results.hpp"

namespace personascope::core {
namespace {

TEST(Findings, LeaveOutWhatIsEmpty) {
  Findings findings;
  findings.add_fact("model", "");
  findings.add(MetricList{});
  findings.add(Table{});
  findings.add(Curve{});
  findings.add(Matrix{});
  findings.add_note(Severity::Warning, "");
  EXPECT_TRUE(findings.empty());
}

TEST(Findings, SayTheSameNoteOnce) {
  Findings findings;
  findings.add_note(Severity::Info, "a", "x");
  findings.add_note(Severity::Info, "a", "y");
  findings.add_note(Severity::Info, "a", "y");
  ASSERT_EQ(findings.notes.size(), 1u);
  EXPECT_EQ(findings.notes[0].subjects, (std::vector<std::string>{"x", "y"}));
  findings.add_note(Severity::Info, "a");
  EXPECT_TRUE(findings.notes[0].subjects.empty());
}

TEST(Findings, HaveAShapeForEveryPart) {
  Findings findings;
  findings.evaluation = "e";
  findings.add(MetricList{"m", "row", {Metric{}}, "meaning"});
  findings.add(Table{"t", {{"c", "", false}}, {{Value{{}, {}, "x"}}}, ""});
  findings.add(Curve{"c", "x", "y", kShareUnit, {{1, 2, Interval{1, 3}, 4}}, ""});
  findings.add(Matrix{"x", "r", "c", {"a"}, {"b"}, {{1}}, ""});
  const Json value = to_json(findings);
  EXPECT_EQ(value["version"], kFindingsVersion);
  ASSERT_EQ(value["parts"].size(), 4u);
  EXPECT_EQ(value["parts"][0]["shape"], "metrics");
  EXPECT_EQ(value["parts"][0]["meaning"], "meaning");
  EXPECT_EQ(value["parts"][1]["rows"], Json::array({Json::array({"x"})}));
  EXPECT_EQ(value["parts"][2]["points"][0]["interval"], Json::array({1.0, 3.0}));
  EXPECT_EQ(value["parts"][3]["cells"], Json::array({Json::array({1.0})}));
  EXPECT_TRUE(value["headline"].is_null());
}

TEST(Findings, ListTheirNumbersInOneForm) {
  Findings findings;
  findings.add(MetricList{"m", "row", {Metric{}}, ""});
  findings.add(Table{
      "t", {{"who", "", false}, {"n", kCountUnit, false}}, {{{{}, {}, "x"}, {3, {}, ""}}}, ""});
  findings.add(Curve{"c", "k", "y", kShareUnit, {{2, .5, {}, 4}}, ""});
  findings.add(Matrix{"x", "r", "c", {"a"}, {"b", "d"}, {{1, 2}}, ""});
  const auto metrics = list_metrics(findings);
  ASSERT_EQ(metrics.size(), 5u);
  EXPECT_EQ(metrics[0].part, "m");
  EXPECT_EQ(metrics[1].metric.group, "x");
  EXPECT_EQ(metrics[1].metric.name, "n");
  EXPECT_EQ(metrics[2].metric.group, "k = 2");
  EXPECT_EQ(metrics[4].metric.name, "d");
  EXPECT_EQ(metrics[4].metric.value, 2);
}

TEST(StoredResults, ReadAnEstimateInEveryForm) {
  const Metric mean =
      read_estimate({{"mean", 4.5}, {"ci95", {4, 5}}, {"n", 10}}, "s", "g", kScoreUnit);
  EXPECT_EQ(mean.value, 4.5);
  ASSERT_TRUE(mean.interval);
  EXPECT_EQ(mean.interval->high, 5);
  EXPECT_EQ(mean.n, 10);
  EXPECT_FALSE(mean.is_difference);
  const Metric delta =
      read_estimate({{"delta", -.5}, {"p", .04}, {"p_holm", .08}}, "d", "", kShareUnit);
  EXPECT_TRUE(delta.is_difference);
  EXPECT_EQ(delta.p, .04);
  EXPECT_EQ(delta.adjusted_p, .08);
  EXPECT_FALSE(read_estimate("nothing", "", "", "").value);
}

TEST(Metric, ReadsBackWhatItWrote) {
  Metric metric;
  metric.name = "n";
  metric.value = 1.5;
  metric.is_difference = true;
  metric.p = .5;
  metric.bounds = Interval{0, 1};
  metric.outcomes.emplace();
  (*metric.outcomes)[Outcome::Refused] = 3;
  EXPECT_EQ(to_json(read_metric(to_json(metric))), to_json(metric));
}

}  // namespace
}  // namespace personascope::core
