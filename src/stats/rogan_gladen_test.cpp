#include "stats/rogan_gladen.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/golden_test.hpp"

namespace personascope::stats {
namespace {

std::size_t count_of(const Json& share, const Json& whole) {
  return static_cast<std::size_t>(std::lround(share.get<double>() * whole.get<double>()));
}

JudgeCounts golden_counts() {
  const Json& data = golden()["rogan_gladen"];
  return {.judged = data["N"],
          .judged_pass = count_of(data["p"], data["N"]),
          .human_fail = data["m0"],
          .judge_fail_too = count_of(data["spec"], data["m0"]),
          .human_pass = data["m1"],
          .judge_pass_too = count_of(data["sens"], data["m1"])};
}

TEST(RoganGladen, AgreesWithTheReference) {
  const Json& data = golden()["rogan_gladen"];
  EXPECT_NEAR(*rogan_gladen_plain(golden_counts()), data["theta_plain"].get<double>(), kClosedForm);
  const Estimate estimate = rogan_gladen(golden_counts()).value();
  EXPECT_NEAR(estimate.value, data["theta_adjusted"].get<double>(), kClosedForm);
  EXPECT_NEAR(*estimate.standard_error, data["se_adjusted"].get<double>(), kClosedForm);
  EXPECT_LT(estimate.interval->low, 0.6);
  EXPECT_GT(estimate.interval->high, 0.6);
}

TEST(RoganGladen, StaysBetweenZeroAndOne) {
  JudgeCounts counts = golden_counts();
  counts.judged_pass = 0;
  const Estimate estimate = rogan_gladen(counts).value();
  EXPECT_EQ(estimate.value, 0);
  EXPECT_EQ(estimate.interval->low, 0);
  EXPECT_TRUE(estimate.has(Caveat::ClippedToScale));
  EXPECT_LT(*rogan_gladen_plain(counts), 0);
}

TEST(RoganGladen, UndefinedCasesSaySo) {
  EXPECT_FALSE(rogan_gladen({}));
  JudgeCounts useless = golden_counts();
  useless.judge_pass_too = 14;
  EXPECT_FALSE(rogan_gladen(useless));
  EXPECT_FALSE(rogan_gladen_plain(useless));
  JudgeCounts no_failures = golden_counts();
  no_failures.human_fail = no_failures.judge_fail_too = 0;
  EXPECT_FALSE(rogan_gladen(no_failures));
  JudgeCounts impossible = golden_counts();
  impossible.judged_pass = impossible.judged + 1;
  EXPECT_FALSE(rogan_gladen(impossible));
}

}  // namespace
}  // namespace personascope::stats
