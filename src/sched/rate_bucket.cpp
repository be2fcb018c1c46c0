#include "sched/rate_bucket.hpp"

#include <algorithm>

namespace personascope::sched {
namespace {

constexpr double kLongestWaitSeconds = 86'400;

Duration make_wait(double in_seconds) {
  return std::chrono::ceil<Duration>(
      std::chrono::duration<double>(std::min(in_seconds, kLongestWaitSeconds)));
}

}  // namespace

void RateBucket::fill(TimePoint now) {
  if (filled_at_ && now > *filled_at_) {
    const double passed = std::chrono::duration<double>(now - *filled_at_).count();
    level_ = std::min(burst(), level_ + passed * per_second_);
  }
  filled_at_ = now;
}

TimePoint RateBucket::ready_at(double amount, TimePoint now) {
  fill(now);
  const double missing = std::min(amount, burst()) - level_;
  // Nearly full is full: a bucket whose rate grows would else never be.
  return missing <= burst() * 1e-3 ? now : now + make_wait(missing / per_second_);
}

void RateBucket::take(double amount, TimePoint now) {
  fill(now);
  level_ = std::min(burst(), level_ - amount);
}

void RateBucket::set_rate(double per_second, TimePoint now) {
  fill(now);
  per_second_ = per_second;
}

void RateBucket::make_empty(TimePoint now) {
  filled_at_ = now;
  level_ = 0;
}

}  // namespace personascope::sched
