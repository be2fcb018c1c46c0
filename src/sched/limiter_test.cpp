#include "sched/limiter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace personascope::sched {
namespace {

LimiterOptions fixed(int most) {
  LimiterOptions options;
  options.limit.adapt = false;
  options.limit.most = most;
  return options;
}

// What the calls of a test did.
struct Record {
  std::vector<std::string> sent;
  std::map<std::string, int> in_flight;
  std::map<std::string, int> most_in_flight;
  int cancelled = 0;
  int too_late = 0;
};

struct Call {
  std::string name;
  std::string role = "model";
  Duration work{};
  std::int64_t tokens = 1;
  CallEnd end = CallEnd::Success;
  PaceHint hint{};
  bool first = false;
  std::optional<TimePoint> deadline{};
};

Task<void> send(Limiter& limiter, Record& record, Call call) {
  Turn turn;
  turn.role = call.role;
  turn.tokens = call.tokens;
  turn.first = call.first;
  turn.deadline = call.deadline;
  auto permit = co_await limiter.acquire(std::move(turn));
  if (!permit) {
    ++(permit.error().kind == ErrorKind::Timeout ? record.too_late : record.cancelled);
    co_return;
  }
  record.sent.push_back(call.name);
  const int now = ++record.in_flight[call.role];
  int& most = record.most_in_flight[call.role];
  most = std::max(most, now);
  co_await sleep_for(call.work);
  --record.in_flight[call.role];
  permit->report(call.end, call.hint, call.tokens);
}

Call make_call(int number, Duration work = {}) {
  Call call;
  call.name = std::to_string(number);
  call.work = work;
  return call;
}

struct Account {
  explicit Account(const LimiterOptions& options) : limiter(loop, stop, options) {}
  void spawn(Call call) { loop.spawn(send(limiter, record, std::move(call))); }
  Loop loop;
  Stop stop{loop};
  Limiter limiter;
  Record record;
};

TEST(Limiter, NeverLetsMoreInThanItsLimitAndLetsAllInAtLast) {
  Account account(fixed(7));
  for (int i = 0; i < 500; ++i) account.spawn(make_call(i, milliseconds(1)));
  account.loop.run();
  EXPECT_EQ(account.record.sent.size(), 500u);
  EXPECT_EQ(account.record.most_in_flight["model"], 7);
  EXPECT_EQ(account.limiter.in_flight(), 0);
}

TEST(Limiter, FirstComeFirstServedWithinARole) {
  Account account(fixed(1));
  std::vector<std::string> wanted;
  for (int i = 0; i < 50; ++i) {
    account.spawn(make_call(i));
    wanted.push_back(std::to_string(i));
  }
  account.loop.run();
  EXPECT_EQ(account.record.sent, wanted);
}

TEST(Limiter, AJudgeDoesNotWaitForTheSlotsOfTheModel) {
  Account account(fixed(2));
  for (int i = 0; i < 20; ++i) account.spawn(make_call(i, milliseconds(20)));
  Call judge = make_call(99, milliseconds(1));
  judge.role = "judge";
  account.spawn(judge);
  account.loop.run();
  const auto place = std::ranges::find(account.record.sent, "99") - account.record.sent.begin();
  EXPECT_LE(place, 2);
  EXPECT_EQ(account.limiter.limit(), 4);
}

TEST(Limiter, RolesTakeTurnsAtTheAccountsPace) {
  LimiterOptions options = fixed(1000);
  options.pace.calls_per_minute = 3000;  // 5 at once, then 50 a second
  Account account(options);
  for (int i = 0; i < 25; ++i) account.spawn(make_call(1));
  for (const char* role : {"a judge", "z judge"}) {
    Call call = make_call(2);
    call.role = role;
    call.name = role;
    for (int i = 0; i < 5; ++i) account.spawn(call);
  }
  account.loop.run();
  const auto& sent = account.record.sent;
  ASSERT_EQ(sent.size(), 35u);
  // The burst goes to whoever came first; then one of each role in turn.
  for (const char* role : {"a judge", "z judge"})
    EXPECT_LT(std::ranges::find(sent.rbegin(), sent.rend(), role).base() - sent.begin(), 25)
        << role;
}

TEST(Limiter, ALargeCallIsNotStarvedBySmallOnesOfAnotherRole) {
  LimiterOptions options = fixed(1000);
  options.pace.tokens_per_minute = 60'000;
  Account account(options);
  Call large = make_call(0);
  large.role = "large";
  large.name = "large";
  large.tokens = 6000;
  account.spawn(make_call(1));  // the bucket is no longer full
  account.spawn(large);
  Call small = make_call(2);
  small.tokens = 10;
  for (int i = 0; i < 200; ++i) account.spawn(small);
  account.loop.run();
  EXPECT_EQ(account.record.sent.size(), 202u);
  EXPECT_LT(std::ranges::find(account.record.sent, "large") - account.record.sent.begin(), 10);
}

TEST(Limiter, CallsAMinuteAreKept) {
  LimiterOptions options = fixed(1000);
  options.pace.calls_per_minute = 1200;  // 2 at once, then 20 a second
  Account account(options);
  const TimePoint start = SteadyClock::now();
  for (int i = 0; i < 12; ++i) account.spawn(make_call(i));
  account.loop.run();
  EXPECT_EQ(account.record.sent.size(), 12u);
  EXPECT_GE(SteadyClock::now() - start, milliseconds(490));
}

TEST(Limiter, RetryAfterPausesTheWholeAccountIfNothingIsAnswered) {
  Account account({});
  Call first = make_call(0);
  first.end = CallEnd::Refused;
  first.hint.retry_after = milliseconds(200);
  account.spawn(first);
  const TimePoint start = SteadyClock::now();
  TimePoint resumed;
  std::string wait;
  const auto later = [&]() -> Task<void> {
    co_await sleep_for(milliseconds(20));
    account.loop.post([&] { wait = account.limiter.describe_wait(); });
    Turn turn;
    turn.role = "judge";
    auto permit = co_await account.limiter.acquire(std::move(turn));
    EXPECT_TRUE(permit);
    resumed = SteadyClock::now();
  };
  account.loop.spawn(later());
  account.loop.run();
  EXPECT_GE(resumed - start, milliseconds(200));
  EXPECT_LT(resumed - start, seconds(10));
  EXPECT_TRUE(wait.starts_with("the server's rate limit, ")) << wait;
  EXPECT_EQ(account.limiter.describe_wait(), "");
}

TEST(Limiter, AStopCancelsEverybodyWhoWaitsAndWhoeverComesLater) {
  LimiterOptions options = fixed(3);
  Account account(options);
  for (int i = 0; i < 100; ++i) account.spawn(make_call(i, milliseconds(50)));
  const auto stopper = [&]() -> Task<void> {
    co_await sleep_for(milliseconds(10));
    account.stop.request(Error{ErrorKind::Cancelled, "enough"});
    Call late = make_call(1000);
    account.spawn(late);
  };
  account.loop.spawn(stopper());
  account.loop.run();
  EXPECT_EQ(account.record.sent.size(), 3u);
  EXPECT_EQ(account.record.cancelled, 98);
  EXPECT_EQ(account.limiter.in_flight(), 0);
}

TEST(Limiter, AStopEndsAPauseAtOnce) {
  Account account(fixed(3));
  Call first = make_call(0);
  first.hint = {.remaining_calls = 0, .calls_reset = seconds(600)};
  account.spawn(first);
  const auto rest = [&]() -> Task<void> {
    co_await sleep_for(milliseconds(20));
    for (int i = 1; i < 10; ++i) account.spawn(make_call(i));
    co_await sleep_for(milliseconds(20));
    account.stop.request(Error{ErrorKind::Cancelled, "enough"});
  };
  account.loop.spawn(rest());
  const TimePoint start = SteadyClock::now();
  account.loop.run();
  EXPECT_LT(SteadyClock::now() - start, seconds(30));
  EXPECT_EQ(account.record.cancelled, 9);
}

TEST(Limiter, APermitThatIsDroppedGivesItsSlotBack) {
  Account account(fixed(1));
  const auto drop = [&]() -> Task<void> {
    Turn turn;
    turn.role = "model";
    auto permit = co_await account.limiter.acquire(std::move(turn));
    EXPECT_TRUE(permit);
    EXPECT_EQ(account.limiter.in_flight(), 1);
    const Limiter::Permit moved = std::move(*permit);
    EXPECT_EQ(account.limiter.in_flight(), 1);
  };
  for (int i = 0; i < 5; ++i) account.loop.spawn(drop());
  account.loop.run();
  EXPECT_EQ(account.limiter.in_flight(), 0);
}

TEST(Limiter, ACallThatCameBackGoesBeforeThoseThatWereNeverSent) {
  Account account(fixed(1));
  for (int i = 0; i < 4; ++i) account.spawn(make_call(i, milliseconds(1)));
  for (int i = 10; i < 12; ++i) {
    Call back = make_call(i);
    back.first = true;
    account.spawn(back);
  }
  account.loop.run();
  EXPECT_EQ(account.record.sent, (std::vector<std::string>{"0", "10", "11", "1", "2", "3"}));
}

TEST(Limiter, ACallThatWaitsBeyondItsDeadlineFailsAsTimeoutAndHoldsNobodyUp) {
  Account account(fixed(1));
  account.spawn(make_call(0, milliseconds(100)));
  Call hurried = make_call(1);
  hurried.deadline = SteadyClock::now() + milliseconds(20);
  account.spawn(hurried);
  account.spawn(make_call(2));
  account.loop.run();
  EXPECT_EQ(account.record.too_late, 1);
  EXPECT_EQ(account.record.sent, (std::vector<std::string>{"0", "2"}));
}

TEST(Limiter, AnAnswerThatIsNotCommittedHoldsASlotOfTheCeilingOnly) {
  LimiterOptions options;
  options.limit = {.start = 1, .most = 2};
  Account account(options);
  const auto hold = [&]() -> Task<void> {
    std::vector<Limiter::Permit> uncommitted;
    for (int i = 0; i < 2; ++i) {
      Turn turn;
      turn.role = "model";
      auto permit = co_await account.limiter.acquire(std::move(turn));
      EXPECT_TRUE(permit);
      permit->report(CallEnd::Success, {}, 1);
      uncommitted.push_back(std::move(*permit));
    }
    EXPECT_EQ(account.limiter.in_flight(), 0);
    Turn turn;
    turn.role = "model";
    turn.deadline = SteadyClock::now() + milliseconds(20);
    const auto third = co_await account.limiter.acquire(std::move(turn));
    EXPECT_FALSE(third) << "two are not committed";
  };
  account.loop.spawn(hold());
  account.loop.run();
}

TEST(Limiter, AdaptsToSuccess) {
  LimiterOptions options;
  options.limit = {.start = 2, .most = 64};
  Account account(options);
  for (int i = 0; i < 500; ++i) account.spawn(make_call(i, milliseconds(1)));
  account.loop.run();
  EXPECT_EQ(account.limiter.limit(), 64);
  EXPECT_EQ(account.record.most_in_flight["model"], 64);
}

TEST(Limiter, OtherEndsChangeNothing) {
  LimiterOptions options;
  options.limit = {.start = 4, .most = 64};
  Account account(options);
  Call failed = make_call(0);
  failed.end = CallEnd::Other;
  for (int i = 0; i < 100; ++i) account.spawn(failed);
  account.loop.run();
  EXPECT_EQ(account.limiter.limit(), 4);
}

}  // namespace
}  // namespace personascope::sched
