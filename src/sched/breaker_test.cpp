#include "sched/breaker.hpp"

#include <gtest/gtest.h>

namespace personascope::sched {
namespace {

const TimePoint kNoon{seconds(1000)};

TimePoint at(int ms) {
  return kNoon + milliseconds(ms);
}

TEST(Breaker, OpensAtTheFirstConnectionThatFailsAfterAnAnswer) {
  Breaker breaker;
  breaker.on_answer(at(0), at(20));
  EXPECT_TRUE(breaker.on_fault(Fault::NoConnection, 1, at(30), at(31)));
  EXPECT_TRUE(breaker.is_open());
  EXPECT_EQ(breaker.next_probe(), at(2031));
  breaker.on_probe(at(2031));
  EXPECT_EQ(breaker.next_probe(), at(4031));
}

TEST(Breaker, StaysClosedBeforeTheFirstAnswer) {
  Breaker breaker;
  for (std::uint64_t call = 0; call < 20; ++call) {
    EXPECT_FALSE(breaker.on_fault(Fault::NoConnection, call, at(0), at(1)));
    EXPECT_FALSE(breaker.on_fault(Fault::Unavailable, call, at(0), at(1)));
  }
  EXPECT_FALSE(breaker.has_answered());
}

TEST(Breaker, AFaultWhileTheServerAnswersOthersIsTheCallsOwn) {
  Breaker breaker;
  for (int i = 0; i < 100; ++i) {
    breaker.on_answer(at(10 * i), at(10 * i + 5));
    EXPECT_FALSE(breaker.on_fault(Fault::NoConnection, 1, at(10 * i), at(10 * i + 6)));
    EXPECT_FALSE(breaker.on_fault(Fault::Unavailable, static_cast<std::uint64_t>(i), at(10 * i),
                                  at(10 * i + 6)));
  }
}

TEST(Breaker, OpensWhenManyCallsInARowGetNoAnswer) {
  Breaker breaker;
  breaker.on_answer(at(0), at(10));
  for (int i = 0; i < 50; ++i)
    EXPECT_FALSE(breaker.on_fault(Fault::Unavailable, 7, at(20), at(21))) << "one call is not many";
  int faults = 0;
  while (!breaker.on_fault(Fault::Unavailable, static_cast<std::uint64_t>(100 + faults), at(20),
                           at(21)))
    ASSERT_LT(++faults, 10);
  EXPECT_GE(faults, 3);
}

TEST(Breaker, OnlyAnAnswerToACallSentSinceItOpenedClosesIt) {
  Breaker breaker;
  breaker.on_answer(at(0), at(10));
  breaker.on_fault(Fault::NoConnection, 1, at(20), at(21));
  breaker.on_answer(at(5), at(100));
  EXPECT_TRUE(breaker.is_open());
  breaker.on_answer(at(2021), at(2040));
  EXPECT_FALSE(breaker.is_open());
}

}  // namespace
}  // namespace personascope::sched
