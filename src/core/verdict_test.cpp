#include "core/verdict.hpp"

#include <gtest/gtest.h>

namespace personascope::core {
namespace {

TEST(Verdict, IsWrittenWithItsDistribution) {
  Verdict verdict = make_score(3.25, "3");
  verdict.distribution = ScoreDistribution{{{1, 0.25}, {4, 0.75}}, 0.4, 1.3, true};
  EXPECT_EQ(to_json(verdict), parse_json(R"({
    "verdict": "score", "score": 3.25, "text": "3",
    "distribution": {"shares": [{"score": 1.0, "probability": 0.25},
                                {"score": 4.0, "probability": 0.75}],
                     "captured_mass": 0.4, "standard_deviation": 1.3, "low_mass": true}
  })")
                                  .value());
}

TEST(Verdict, WhatIsNoScoreHasNoScoreMember) {
  for (const Verdict& verdict :
       {make_abstention(""), make_refusal(""), make_failure({ErrorKind::Transient, "503"})})
    EXPECT_FALSE(to_json(verdict).contains("score")) << name_of(verdict.kind);
  EXPECT_EQ(to_json(make_failure({ErrorKind::Transient, "503"}))["error"]["kind"], "transient");
}

TEST(Verdict, EveryKindHasItsOutcome) {
  EXPECT_EQ(outcome_of(make_score(4, "")), Outcome::Scored);
  EXPECT_EQ(outcome_of(make_abstention("no answer")), Outcome::Abstained);
  EXPECT_EQ(outcome_of(make_refusal("I'd rather not.")), Outcome::Refused);
  EXPECT_EQ(outcome_of(make_failure({ErrorKind::Timeout, "late"})), Outcome::Failed);
}

}  // namespace
}  // namespace personascope::core
