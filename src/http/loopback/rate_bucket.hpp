// A token bucket: so much a second, of which some seconds' worth may come at once.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/clock.hpp"

namespace personascope::http::loopback {

class RateBucket {
 public:
  RateBucket(double per_second, double burst_seconds)
      : per_second_(per_second), most_(std::max(1.0, per_second * burst_seconds)), level_(most_) {}

  // Nothing if `amount` may pass, else how long to wait. What is more than the bucket holds passes
  // when it is full. `now` never goes back.
  std::optional<std::chrono::duration<double>> take(double amount, TimePoint now) {
    if (last_) {
      const std::chrono::duration<double> since = now - *last_;
      level_ = std::min(most_, level_ + since.count() * per_second_);
    }
    last_ = now;
    const double needed = std::min(amount, most_);
    if (level_ < needed) return std::chrono::duration<double>((needed - level_) / per_second_);
    level_ -= amount;
    return std::nullopt;
  }

 private:
  double per_second_;
  double most_;
  double level_;
  std::optional<TimePoint> last_;
};

}  // namespace personascope::http::loopback
