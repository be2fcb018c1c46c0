#include "cli/findings_view.hpp"

#include <gtest/gtest.h>

#include "app/findings.hpp"
#include "base/text.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

Json make_dimension(const std::string& name, const std::string& side, const char* mean) {
  Json row = {{"dimension", name}, {mean, 1}, {"ci95", {1, 1}}, {"count", 1500}};
  if (!side.empty()) row["side"] = side;
  row["outcomes"] = {{"scored", 1500}, {"failed", 1500}};
  row["without_flagged"] = {{mean, 1}, {"count", 1200}};
  row["reference"] = {{mean, 1}};
  const Json difference = {{"difference", -0.25}, {"ci95", {-0.75, 0.25}}};
  row["by_context"] = {{"none", {{mean, 1}, {"ci95", {1, 1}}}},
                       {"dps", {{mean, 1}, {"ci95", {1, 1}}, {"against_first", difference}}}};
  return row;
}

Json make_lens_results() {
  Json results = {{"evaluation", "lens"},
                  {"model", "a/b"},
                  {"judges", {"c/d", "e/f"}},
                  {"contexts", {"none", "dps"}},
                  {"dialogues", {{"held", 1500}}},
                  {"audit", {{"flagged", 0}, {"of", 1500}, {"faults", Json::object()}}},
                  {"gathered", Json::array()},
                  {"notes", Json::array()}};
  for (const Json& row : {make_dimension("task_completion", "", "rate"),
                          make_dimension("naturalness", "assistant", "mean")}) {
    const std::string key = row["dimension"];
    results["dimension_order"].push_back(key);
    results["dimensions"][key] = row;
    for (const char* judge : {"a-long-name-of-a-judge-0a1b2c3d", "another-judge"}) {
      Json group = row;
      group.update({{"assistant", "an-assistant"},
                    {"judge", judge},
                    {"unread", 10},
                    {"low_rated", 300},
                    {"distribution", {{"1", 300}, {"2", 300}, {"3", 300}, {"4", 300}, {"5", 30}}}});
      results["gathered"].push_back(group);
    }
  }
  return results;
}

void expect_fits(const std::string& text, std::size_t columns) {
  for (const std::string_view line : split(text, '\n')) EXPECT_LE(width(line), columns) << line;
}

TEST(FindingsView, FitsEightyColumns) {
  const std::string text = render_findings(app::describe_results(make_lens_results()), {});
  expect_fits(text, 80);
  for (const char* part :
       {"100.0 to 100.0 %", "100.0 % (1200)", "naturalness, assistant", "-25.0 pp", "another-jud"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(FindingsView, ShowsEveryShapeByItself) {
  core::Findings findings;
  findings.add_fact("model", "a/b");
  core::Metric metric;
  metric.name = "score";
  metric.group = "first";
  metric.unit = core::kShareUnit;
  metric.value = .5;
  metric.interval = core::Interval{.25, .75};
  core::Metric other = metric;
  other.group = "second";
  findings.add(core::MetricList{"Rates", "what", {metric, other}, "What they mean."});
  metric.is_difference = other.is_difference = true;
  findings.add(core::MetricList{"Gaps", "what", {metric, other}, ""});
  findings.add(core::Table{"Table",
                           {{"name", "", false}, {"count", core::kCountUnit, false}},
                           {{{{}, {}, "x"}, {1e6, {}, ""}}},
                           ""});
  findings.add(core::Curve{"Curve", "k", "pass@k", core::kShareUnit, {{1, .5, {}, 3}}, ""});
  findings.add(
      core::Matrix{"Matrix", "true", "named", {"p", "q"}, {"p", "q"}, {{1, 0}, {2, 3}}, ""});
  findings.add_note(core::Severity::Info, "An aside.");
  findings.add_note(core::Severity::Warning, "Too few.", "first");
  findings.add_note(core::Severity::Warning, "Too few.", "second");
  const std::string text = render_findings(findings, {});
  expect_fits(text, 80);
  for (const char* part :
       {"model  a/b\n", "50.0 %", "25.0 to 75.0 %", "What they mean.", "+50.0 pp", "●", "1,000,000",
        "pass@k", "true \\ named", "note: first; second: Too few."})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  EXPECT_LT(text.find("Too few."), text.find("An aside.")) << "warnings come first";
}

TEST(FindingsView, ShowsThreeNotesAndSaysWhereTheOthersAre) {
  core::Findings findings;
  for (const char* text : {"one", "two", "three", "four", "five"})
    findings.add_note(core::Severity::Info, text);
  const std::string text =
      render_findings(findings, {.max_notes = 3, .all_notes = "show 7 --notes"});
  EXPECT_EQ(text, "note: one\nnote: two\nnote: three\n2 more notes: show 7 --notes\n");
}

TEST(FindingsView, MakesHostileTextsHarmless) {
  core::Findings findings;
  findings.add_fact("model", "a\x1b[2Jb\nc");
  findings.add_note(core::Severity::Info, "x\x1b]0;title\x07y");
  const std::string text = render_findings(findings, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find('\x07'), std::string::npos) << text;
}

// Every member of stored results may be missing or of another type.
TEST(Describe, SurvivesResultsOfAnotherShape) {
  const Json odd[] = {nullptr, 1, "x", Json::array({1}), Json::object(), true};
  for (const char* evaluation :
       {"gym", "bench/main", "bench/loo", "bench/intersectionality", "bench/pass-at-k",
        "bench/comparison", "bench/personas", "lens", "lens profiles"}) {
    render_findings(app::describe_results({{"evaluation", evaluation}}), {});
    for (const Json& value : odd)
      for (const char* member :
           {"tasks",    "task_order", "persona_score", "scale",           "judges",
            "canaries", "notes",      "exam",          "personas",        "likelihood",
            "score",    "modes",      "comparisons",   "attributes",      "populations",
            "overlaps", "pass_at_k",  "attempts",      "kinds",           "controls",
            "critics",  "outcomes",   "dimensions",    "dimension_order", "contexts",
            "gathered", "lift",       "audit",         "dialogues"})
        render_findings(
            app::describe_results(
                {{"evaluation", evaluation}, {member, value}, {"persona_score", Json::object()}}),
            {});
  }
  EXPECT_TRUE(app::describe_results(nullptr).empty());
  EXPECT_TRUE(app::describe_results({{"evaluation", "of a later version"}}).empty());
}

}  // namespace
}  // namespace personascope::cli
