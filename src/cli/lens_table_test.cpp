#include "cli/lens_table.hpp"

#include <gtest/gtest.h>

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

Json make_results() {
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

TEST(LensTable, FitsEightyColumns) {
  const std::string text = render_lens_results(make_results());
  for (const std::string_view line : split(text, '\n')) EXPECT_LE(width(line), 80u) << line;
  for (const char* part : {"100.0 to 100.0 %", "100.0 % (1,200)", "naturalness, assistant",
                           "an-assistant, judged by another-judge:", "5: 30"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

}  // namespace
}  // namespace personascope::cli
