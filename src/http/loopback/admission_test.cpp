#include "http/loopback/admission.hpp"

#include <gtest/gtest.h>

namespace personascope::http::loopback {
namespace {

using Verdict = Admission::Verdict;

TimePoint after(int ms) {
  return TimePoint(seconds(1000)) + milliseconds(ms);
}

LoopbackRequest in_flight(std::size_t count, std::string body = "{}") {
  LoopbackRequest request;
  request.in_flight = count;
  request.body = std::move(body);
  return request;
}

TEST(Admission, RefusesWhatIsOneTooManyAtOnce) {
  Admission admission({.concurrency_limit = 2, .retry_after = 3});
  EXPECT_EQ(admission.decide(in_flight(2), after(0)).verdict, Verdict::Pass);
  const auto refused = admission.decide(in_flight(3), after(0));
  EXPECT_EQ(refused.verdict, Verdict::Refuse);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.wait.count(), 3);
}

TEST(Admission, RefusesWhatIsTooManyASecond) {
  Admission admission({.rate_limit = 10, .burst_seconds = 0.2});
  EXPECT_EQ(admission.decide(in_flight(1), after(0)).verdict, Verdict::Pass);
  EXPECT_EQ(admission.decide(in_flight(1), after(0)).verdict, Verdict::Pass);
  const auto refused = admission.decide(in_flight(1), after(50));
  EXPECT_EQ(refused.verdict, Verdict::Refuse);
  EXPECT_NEAR(refused.wait.count(), 0.05, 1e-9);
  EXPECT_EQ(admission.decide(in_flight(1), after(101)).verdict, Verdict::Pass);
}

TEST(Admission, RefusesWhatIsTooManyTokensAMinuteAndCountsThem) {
  const std::string body = R"({"max_tokens":100})";                      // and 4.5 of the prompt
  Admission admission({.tokens_per_minute = 6270, .burst_seconds = 2});  // two, then one a second
  for (const int ms : {0, 0, 1001})
    EXPECT_EQ(admission.decide(in_flight(1, body), after(ms)).verdict, Verdict::Pass) << ms;
  EXPECT_EQ(admission.decide(in_flight(1, body), after(1002)).verdict, Verdict::Refuse);
  EXPECT_EQ(admission.tokens(), 3 * 104u);
}

TEST(Admission, FailsAndCutsAboutTheSharesAskedFor) {
  Admission admission({.fail_share = 0.1, .fail_status = 502, .cut_share = 0.05});
  int failed = 0, cut = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto decision = admission.decide(in_flight(1), after(i));
    if (decision.verdict == Verdict::Fail) {
      ++failed;
      EXPECT_EQ(decision.status, 502);
    }
    if (decision.verdict == Verdict::Cut) ++cut;
  }
  EXPECT_NEAR(failed, 1000, 150);
  EXPECT_NEAR(cut, 500, 100);
}

TEST(Admission, AnOutageBeginsSoLongAfterTheFirstRequestAndEnds) {
  Admission admission({.outage_after = milliseconds(100), .outage_for = milliseconds(200)});
  EXPECT_EQ(admission.decide(in_flight(1), after(5000)).verdict, Verdict::Pass);
  const auto out = admission.decide(in_flight(1), after(5100));
  EXPECT_EQ(out.verdict, Verdict::Fail);
  EXPECT_EQ(out.status, 503);
  EXPECT_EQ(admission.decide(in_flight(1), after(5300)).verdict, Verdict::Pass);
  Admission silent({.outage_after = milliseconds(0), .outage_for = seconds(1), .outage_status = 0});
  EXPECT_EQ(silent.decide(in_flight(1), after(0)).verdict, Verdict::Close);
}

}  // namespace
}  // namespace personascope::http::loopback
