#include "cli/estimate_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

app::ScoreEstimate rough_estimate() {
  app::ScoreEstimate estimate;
  estimate.n = estimate.clusters = 8;
  estimate.caveats = {app::Caveat::FewClusters};
  return estimate;
}

TEST(Notes, SayACaveatOnceForAllThatHaveIt) {
  Notes notes;
  for (const char* subject : {"a", "b"}) notes.add_caveats(subject, rough_estimate());
  EXPECT_EQ(notes.render(), "\n- fewer than 10 items: the interval is rough\n");
  notes.add_caveats("c", {});
  EXPECT_EQ(notes.render(), "\n- a; b: fewer than 10 items: the interval is rough\n");
  for (const char* subject : {"d", "e"}) notes.add_caveats(subject, rough_estimate());
  EXPECT_EQ(notes.render(), "\n- a; b; d and 1 more: fewer than 10 items: the interval is rough\n");
}

TEST(Notes, NameTheOnlyOneTheyAreAbout) {
  Notes notes;
  notes.add_reason("kappa", Error{ErrorKind::Invalid, "it needs a scale"});
  EXPECT_EQ(notes.render(), "\n- kappa: it needs a scale\n");
  EXPECT_EQ(Notes().render(), "");
}

TEST(Notes, StayWithinAHundredColumns) {
  Notes notes;
  std::string sentence;
  for (int i = 0; i < 60; ++i) sentence += "wörd ";
  notes.add(sentence + "end");
  notes.add(std::string(150, 'x'));
  const std::string text = notes.render();
  const auto lines = split(text, '\n');
  EXPECT_EQ(std::ranges::count_if(lines, [](std::string_view line) { return width(line) > 100; }),
            1)
      << "only what cannot be broken is longer:" << text;
  EXPECT_NE(text.find("\n  wörd"), std::string::npos) << text;
}

TEST(RenderNumber, ShowsTheLargeAndTheSmallToo) {
  const std::pair<double, const char*> cases[] = {
      {0, "0.000"},       {-1e-17, "0.000"},         {0.12345, "0.123"},
      {0.0004, "0.0004"}, {-0.000012, "-1.2e-05"},   {1234.5, "1234"},
      {1e12, "1e+12"},    {-3.14159e99, "-3.14e+99"}};
  for (const auto& [number, text] : cases) EXPECT_EQ(render_number(number), text);
}

TEST(RenderClusters, KnowsOneFromMany) {
  EXPECT_EQ(render_clusters(1, "persona"), "in 1 cluster (persona)");
  EXPECT_EQ(render_clusters(20, "persona"), "in 20 clusters (persona)");
  EXPECT_EQ(render_clusters(20, {}), "without clusters");
}

}  // namespace
}  // namespace personascope::cli
