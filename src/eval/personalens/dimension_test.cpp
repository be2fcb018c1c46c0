#include "eval/personalens/dimension.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personalens {
namespace {

const Dimension& dimension(const char* id, const char* suffix = "") {
  return *find_dimension(id, suffix);
}

struct Case {
  const char* text;
  std::optional<double> ours;
  std::optional<double> published;
};

TEST(Dimension, RatingsAreReadInBothWays) {
  const VerdictFileReader reader(dimension("personalization"));
  const Case cases[] = {
      {"Justification: fine.\nPersonalization Score: 3", 3, 3},
      {"Personalization Score: 3\n", 3, 3},
      {"Personalization Score: 2\nOn reflection:\nPersonalization Score: 4", 4, 2},
      {"Personalization Score: 30", std::nullopt, 30},
      {"Personalization Score: 5", std::nullopt, 5},
      {"**Personalization Score: 3**", 3, 3},
      {"Personalization Score: 3\nExpected Score: 2.7500\n", 2.75, 3},
      {"Personalization Score: 3\nExpected Score: 9", std::nullopt, 3},
      {"I would rather not.", std::nullopt, std::nullopt},
      {"", std::nullopt, std::nullopt},
  };
  for (const Case& known : cases) {
    EXPECT_EQ(reader.read(known.text), known.ours) << known.text;
    EXPECT_EQ(read_as_published(dimension("personalization"), known.text), known.published)
        << known.text;
  }
}

TEST(Dimension, AnUnreadCompletionIsUnreadForUsAndFalseAsPublished) {
  const VerdictFileReader reader(dimension("task_completion"));
  const Case cases[] = {
      {"Justification: all there.\nVERDICT: True", 1, 1},
      {"VERDICT: False", 0, 0},
      {"The goal was reached.", std::nullopt, 0},
      {"VERDICT: maybe", std::nullopt, 0},
      {"VERDICT: True\nNo, wait.\nVERDICT: False", 0, 1},
      {"Verdict: true", 1, 1},
      {"VERDICT:  True", 1, 0},
  };
  for (const Case& known : cases) {
    EXPECT_EQ(reader.read(known.text), known.ours) << known.text;
    EXPECT_EQ(read_as_published(dimension("task_completion"), known.text), known.published)
        << known.text;
  }
}

TEST(Dimension, WhatIsWrittenIsReadAgain) {
  for (const Dimension& one : list_dimensions()) {
    const VerdictFileReader reader(one);
    for (int level = one.low; level <= one.high; ++level) {
      const core::Verdict verdict = core::make_score(level, "Because.\nVerdict: 2");
      EXPECT_EQ(reader.read(render_verdict_file(one, verdict)), level) << one.key();
    }
    const double between = one.low + .625;
    EXPECT_EQ(reader.read(render_verdict_file(one, core::make_score(between, ""))), between);
  }
}

TEST(Dimension, NamesChooseOneSeveralOrAll) {
  const auto keys = [](std::string_view name, std::optional<Side> side) {
    std::string text;
    const auto chosen = choose_dimensions(name, side).value();
    for (const Dimension* one : chosen) text += one->key() + " ";
    return text;
  };
  EXPECT_EQ(keys("naturalness", {}), "naturalness_user naturalness_asst ");
  EXPECT_EQ(keys("naturalness", Side::Assistant), "naturalness_asst ");
  EXPECT_EQ(keys("coherence_user", {}), "coherence_user ");
  EXPECT_EQ(keys("published", Side::User),
            "task_completion personalization naturalness_user coherence_user ");
  EXPECT_EQ(choose_dimensions("all", {}).value().size(), list_dimensions().size());
  EXPECT_FALSE(choose_dimensions("fluency", {}));
}

}  // namespace
}  // namespace personascope::eval::personalens
