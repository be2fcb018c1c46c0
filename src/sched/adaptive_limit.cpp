#include "sched/adaptive_limit.hpp"

#include <algorithm>
#include <cstdlib>

namespace personascope::sched {
namespace {

constexpr seconds kShortestStep{2};
constexpr seconds kLongestStep{16};
constexpr double kProbed = 0.5;  // steps: fewer prove nothing

// A little less than what the server took: a call more is refused, one less is hardly missed.
double limit_below(int taken) {
  return std::max(1, taken - taken / 50);
}

// What `steps` of probing add: slow at first, since the number found is most likely right; then
// quicker and quicker, since it no longer is.
double growth_after(double base, double steps) {
  return std::max(base * (0.02 * steps + 0.01 * steps * steps), 0.5 * steps + 0.1 * steps * steps);
}

}  // namespace

AdaptiveLimit::AdaptiveLimit(const LimitOptions& options)
    : options_(options),
      limit_(std::max(1, options.adapt ? std::min(options.start, options.most) : options.most)),
      step_(kShortestStep) {}

void AdaptiveLimit::on_success(int in_flight, TimePoint sent_at, TimePoint now) {
  // Time in which nothing was in flight is no time of probing.
  const TimePoint from = std::max(sent_at, last_success_at_.value_or(sent_at));
  last_success_at_ = now;
  if (!options_.adapt || in_flight * 2 < limit()) return;
  double grown = limit_ + 1;  // a round trip brings `limit_` successes, so it doubles
  if (!is_slow_start_) {
    probing_ += std::chrono::duration<double>(now - from) / std::chrono::duration<double>(step_);
    grown = std::max(limit_, base_ + growth_after(base_, probing_));
  }
  limit_ = std::min<double>(grown, std::max(1, options_.most));
}

void AdaptiveLimit::cut(int left, TimePoint now) {
  if (!options_.adapt) return;
  const bool is_same_again = !is_slow_start_ && std::abs(left - taken_) <= std::max(1, taken_ / 10);
  if (!is_same_again)
    step_ = kShortestStep;
  else if (probing_ > kProbed)
    step_ = std::min<Duration>(2 * step_, kLongestStep);
  is_slow_start_ = false;
  before_ = limit_;
  taken_ = left;
  last_success_at_ = now;
  set_base(limit_below(taken_));
}

void AdaptiveLimit::lower() {
  if (!options_.adapt || is_slow_start_) return;
  --taken_;
  set_base(limit_below(taken_));
}

void AdaptiveLimit::take_back_cut() {
  if (!options_.adapt) return;
  limit_ = std::max(limit_, before_);
  is_slow_start_ = true;
}

void AdaptiveLimit::set_base(double base) {
  base_ = std::min(limit_, base);
  limit_ = base_;
  probing_ = 0;
}

}  // namespace personascope::sched
