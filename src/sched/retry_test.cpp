#include "sched/retry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace personascope::sched {
namespace {

TEST(Retry, OnlyWhatMayPassIsWorthASecondTry) {
  for (int i = 0; i <= static_cast<int>(ErrorKind::Internal); ++i) {
    const auto kind = static_cast<ErrorKind>(i);
    const bool may_pass = kind == ErrorKind::RateLimited || kind == ErrorKind::Transient ||
                          kind == ErrorKind::Timeout || kind == ErrorKind::Unreachable;
    EXPECT_EQ(is_worth_retrying(kind), may_pass) << name_of(kind);
  }
}

TEST(Retry, WaitsGrowUpToTheLongestWithJitterInTheUpperHalf) {
  const RetryPolicy policy{
      .max_retries = 10'000, .first_wait = milliseconds(100), .longest_wait = milliseconds(5000)};
  Random random(1);
  for (int retry = 1; retry <= 100; ++retry) {
    const int doublings = retry <= 6 ? retry - 1 : 5 + 2 * (retry - 6);
    const double ceiling = std::min(5000.0, 100.0 * std::pow(2.0, doublings));
    const auto wait = find_retry_wait(policy, retry, std::nullopt, random);
    ASSERT_TRUE(wait);
    EXPECT_GE(static_cast<double>(wait->count()), ceiling / 2 - 1) << retry;
    EXPECT_LE(static_cast<double>(wait->count()), ceiling) << retry;
  }
}

TEST(Retry, ManyCallersDoNotComeBackTogether) {
  std::set<long long> waits;
  for (std::uint64_t caller = 0; caller < 100; ++caller) {
    Random random(caller);
    waits.insert(find_retry_wait({}, 5, std::nullopt, random)->count());
  }
  EXPECT_GT(waits.size(), 80u);
}

TEST(Retry, TheServersWishIsTheLeast) {
  Random random(1);
  EXPECT_EQ(find_retry_wait({}, 1, seconds(90), random), seconds(90));
  EXPECT_GE(find_retry_wait({}, 1, milliseconds(0), random)->count(), 25);
}

TEST(Retry, TheDefaultIsQuickAtFirstAndPatientAtLast) {
  Random random(1);
  EXPECT_LE(find_retry_wait({}, 1, std::nullopt, random), milliseconds(50));
  EXPECT_GE(find_retry_wait({}, 8, std::nullopt, random), seconds(12));
}

TEST(Retry, EndsWhenTheRetriesAreUsedUp) {
  Random random(1);
  const RetryPolicy policy{.max_retries = 2, .first_wait = seconds(1), .longest_wait = seconds(1)};
  EXPECT_TRUE(find_retry_wait(policy, 2, std::nullopt, random));
  EXPECT_FALSE(find_retry_wait(policy, 3, seconds(1), random));
  EXPECT_FALSE(find_retry_wait(
      RetryPolicy{.max_retries = 0, .first_wait = seconds(1), .longest_wait = seconds(1)}, 1,
      std::nullopt, random));
}

TEST(Retry, ARetryThatIsNoneWaitsLikeTheFirst) {
  Random random(1);
  const auto wait = find_retry_wait({}, 0, std::nullopt, random);
  ASSERT_TRUE(wait);
  EXPECT_LE(*wait, milliseconds(50));
}

}  // namespace
}  // namespace personascope::sched
