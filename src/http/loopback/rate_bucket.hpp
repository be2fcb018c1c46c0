// A token bucket: so many requests a second, of which one second's worth may come at once.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/clock.hpp"

namespace personascope::http::loopback {

class RateBucket {
 public:
  explicit RateBucket(double per_second)
      : per_second_(per_second), most_(std::max(1.0, per_second)), tokens_(most_) {}

  // Nothing if the request may pass, else how long to wait. `now` never goes back.
  std::optional<std::chrono::duration<double>> take(TimePoint now) {
    if (last_) {
      const std::chrono::duration<double> since = now - *last_;
      tokens_ = std::min(most_, tokens_ + since.count() * per_second_);
    }
    last_ = now;
    if (tokens_ < 1) return std::chrono::duration<double>((1 - tokens_) / per_second_);
    tokens_ -= 1;
    return std::nullopt;
  }

 private:
  double per_second_;
  double most_;
  double tokens_;
  std::optional<TimePoint> last_;
};

}  // namespace personascope::http::loopback
