#include "core/outcome.hpp"

#include <gtest/gtest.h>

namespace personascope::core {
namespace {

TEST(Outcome, HasANameThatFindsItAgain) {
  for (const Outcome outcome : kOutcomes) EXPECT_EQ(find_outcome(name_of(outcome)), outcome);
  EXPECT_FALSE(find_outcome("ok"));
  EXPECT_FALSE(find_outcome(""));
}

TEST(OutcomeCounts, SumsAnsweredAndScoredAsOk) {
  OutcomeCounts counts;
  counts[Outcome::Answered] = 1;
  counts[Outcome::Scored] = 2;
  counts[Outcome::Abstained] = 4;
  counts[Outcome::Empty] = 8;
  EXPECT_EQ(counts.ok(), 3);
  EXPECT_EQ(counts.total(), 15);
  EXPECT_EQ(to_json(counts), Json({{"ok", 3},
                                   {"answered", 1},
                                   {"scored", 2},
                                   {"abstained", 4},
                                   {"refused", 0},
                                   {"empty", 8},
                                   {"failed", 0}}));
}

}  // namespace
}  // namespace personascope::core
