#include "run/progress.hpp"

#include <gtest/gtest.h>

namespace personascope::run {
namespace {

TEST(RateMeter, MeasuresASteadyRate) {
  RateMeter meter;
  const TimePoint start;
  EXPECT_EQ(meter.update(0, start), 0);
  double rate = 0;
  for (int i = 1; i <= 10; ++i) rate = meter.update(50 * i, start + seconds(i));
  EXPECT_NEAR(rate, 50, 1e-9);
}

TEST(RateMeter, FollowsAChangeWithinSeconds) {
  RateMeter meter;
  const TimePoint start;
  for (int i = 0; i <= 10; ++i) meter.update(100 * i, start + seconds(i));
  double rate = 0;
  for (int i = 11; i <= 30; ++i) rate = meter.update(1000, start + seconds(i));
  EXPECT_LT(rate, 5);
  EXPECT_GT(rate, 0);
}

TEST(RateMeter, IsNotMisledByTheBurstAtTheStart) {
  RateMeter meter;
  const TimePoint start;
  meter.update(0, start);
  meter.update(20, start + milliseconds(100));  // every slot is filled at once
  double rate = 0;
  for (int i = 2; i <= 40; ++i)
    rate = meter.update(20 + 20 * (i / 10), start + milliseconds(100) * i);
  EXPECT_NEAR(rate, 25, 3) << "100 in 4 s";
}

TEST(RateMeter, SurvivesAClockThatStands) {
  RateMeter meter;
  const TimePoint start;
  meter.update(0, start);
  EXPECT_EQ(meter.update(10, start), 0);
  EXPECT_NEAR(meter.update(10, start + seconds(1)), 10, 1e-9);
}

TEST(Progress, IsAnEventForMachines) {
  Progress progress;
  progress.run = 3;
  progress.items = 10;
  progress.outcomes[core::Outcome::Answered] = 4;
  progress.outcomes[core::Outcome::Refused] = 1;
  progress.outcomes[core::Outcome::Failed] = 2;
  progress.elapsed = milliseconds(1500);
  progress.meter.sent = 9;
  EXPECT_EQ(done(progress), 7);
  Json event = to_json(progress);
  EXPECT_EQ(event["outcomes"]["refused"], 1);
  EXPECT_EQ(event["elapsed_s"], 1.5);
  EXPECT_EQ(event["sent"], 9);
  EXPECT_FALSE(event.contains("time_left_s"));
  EXPECT_FALSE(event.contains("waiting_for"));
  progress.time_left = seconds(4);
  progress.waiting_for = "the server";
  event = to_json(progress);
  EXPECT_EQ(event["time_left_s"], 4.0);
  EXPECT_EQ(event["waiting_for"], "the server");
}

TEST(Progress, TimeLeftGoesByCallsWhereTheirNumberIsExpected) {
  Progress progress;
  progress.items = 10;
  progress.elapsed = seconds(30);
  EXPECT_FALSE(find_time_left(progress)) << "there is nothing to judge by";
  progress.outcomes[core::Outcome::Answered] = 2;
  EXPECT_EQ(find_time_left(progress), seconds(120));
  progress.expected_calls = 100;
  EXPECT_FALSE(find_time_left(progress)) << "no call has ended";
  progress.meter.ended = 70;
  progress.meter.answered = 20;  // the others failed, which took time too
  progress.meter.from_journal = 40;
  EXPECT_EQ(find_time_left(progress), seconds(30)) << "the journal takes no time";
  progress.waiting_for = "the server";
  EXPECT_FALSE(find_time_left(progress)) << "calls wait to be retried";
  progress.waiting_for.clear();
  progress.stopping = true;
  EXPECT_FALSE(find_time_left(progress)) << "what is left is not carried out";
  progress.stopping = false;
  progress.meter.ended = 96;
  EXPECT_EQ(find_time_left(progress), seconds(120)) << "by items once the calls are nearly done";
  progress.outcomes[core::Outcome::Answered] = 0;
  EXPECT_FALSE(find_time_left(progress)) << "calls say nothing of what comes after them";
  progress.outcomes[core::Outcome::Answered] = 10;
  EXPECT_FALSE(find_time_left(progress));
}

}  // namespace
}  // namespace personascope::run
