#include "core/verdict.hpp"

#include <gtest/gtest.h>

namespace personascope::core {
namespace {

Verdict make_expected() {
  Verdict verdict = make_score(3.25, "3");
  verdict.distribution = ScoreDistribution{{{1, 0.25}, {4, 0.75}}, 0.4, 1.3, true};
  return verdict;
}

TEST(Verdict, EveryKindReadsBackAsItWasWritten) {
  const std::vector<Verdict> verdicts{
      make_score(4, "Fits well.\nVerdict: 4"), make_expected(), make_abstention("no answer"),
      make_refusal("I'd rather not."),
      make_failure({ErrorKind::Timeout, "no answer in time"}, "half a sen")};
  for (const Verdict& verdict : verdicts) {
    const Json written = to_json(verdict);
    const auto read = parse_verdict(written);
    ASSERT_TRUE(read) << written;
    EXPECT_EQ(to_json(*read), written);
    EXPECT_EQ(read->text, verdict.text);
  }
}

TEST(Verdict, WhatIsNoScoreHasNoScoreMember) {
  for (const Verdict& verdict :
       {make_abstention(""), make_refusal(""), make_failure({ErrorKind::Transient, "503"})})
    EXPECT_FALSE(to_json(verdict).contains("score")) << name_of(verdict.kind);
  EXPECT_EQ(to_json(make_failure({ErrorKind::Transient, "503"}))["error"]["kind"], "transient");
}

TEST(Verdict, RefusesWhatIsNoVerdict) {
  for (const char* text : {R"({})", R"([])", R"({"verdict": 4})", R"({"verdict": "maybe"})",
                           R"({"verdict": "score"})", R"({"verdict": "score", "score": "4"})",
                           R"({"verdict": "score", "score": 4, "distribution": {"shares": []}})",
                           R"({"verdict": "score", "score": 4, "distribution":
            {"shares": [1], "captured_mass": 1, "standard_deviation": 0, "low_mass": false}})"})
    EXPECT_EQ(parse_verdict(parse_json(text).value()).error().kind, ErrorKind::Unparsable) << text;
}

}  // namespace
}  // namespace personascope::core
