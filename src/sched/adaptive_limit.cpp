#include "sched/adaptive_limit.hpp"

#include <algorithm>

namespace personascope::sched {
namespace {

constexpr double kDecrease = 0.6;
constexpr double kCreepShare = 0.05;  // of the limit, a round trip

}  // namespace

AdaptiveLimit::AdaptiveLimit(const LimitOptions& options)
    : options_(options),
      limit_(std::max(1, options.adapt ? std::min(options.start, options.most) : options.most)),
      slow_start_until_(options.most) {}

void AdaptiveLimit::on_success(int in_flight) {
  if (!options_.adapt || in_flight * 2 < limit()) return;
  // One round trip brings `limit_` successes, so the growth of a round trip is spread over them.
  const double growth =
      limit_ < slow_start_until_ ? 1.0 : std::max(1.0, kCreepShare * limit_) / limit_;
  limit_ = std::min<double>(limit_ + growth, std::max(1, options_.most));
}

void AdaptiveLimit::on_overload(TimePoint sent_at, TimePoint now) {
  if (!options_.adapt || sent_at < decreased_at_) return;
  decreased_at_ = now;
  limit_ = std::max(1.0, limit_ * kDecrease);
  slow_start_until_ = limit_;
}

}  // namespace personascope::sched
