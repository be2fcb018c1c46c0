#include "sched/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace personascope::sched {
namespace {

// A server that asks for days must not put a run to sleep for days: after this, a call asks again.
constexpr milliseconds kLongestPause{600'000};
constexpr double kLongestWaitSeconds = 86'400;

Duration make_duration(double in_seconds) {
  return std::chrono::ceil<Duration>(
      std::chrono::duration<double>(std::min(in_seconds, kLongestWaitSeconds)));
}

// Whether that is a rate; not 0, by which nobody could ever go.
bool is_rate(std::optional<double> per_minute) {
  return per_minute && std::isfinite(*per_minute) && *per_minute > 0;
}

}  // namespace

void TokenBucket::fill(TimePoint now) {
  if (filled_at_ && now > *filled_at_) {
    const double minutes = std::chrono::duration<double>(now - *filled_at_).count() / 60;
    level_ = std::min(burst(), level_ + minutes * per_minute_);
  }
  filled_at_ = now;
}

TimePoint TokenBucket::ready_at(double amount, TimePoint now) {
  fill(now);
  const double missing = std::min(amount, burst()) - level_;
  return missing <= 0 ? now : now + make_duration(missing / per_minute_ * 60);
}

void TokenBucket::take(double amount, TimePoint now) {
  fill(now);
  level_ = std::min(burst(), level_ - amount);
}

Pacing::Pacing(const PaceOptions& options) {
  if (is_rate(options.calls_per_minute)) calls_.emplace(*options.calls_per_minute);
  if (is_rate(options.tokens_per_minute)) tokens_.emplace(*options.tokens_per_minute);
}

TimePoint Pacing::ready_at(std::int64_t tokens, TimePoint now) {
  TimePoint ready = std::max(now, paused_until_);
  if (calls_) ready = std::max(ready, calls_->ready_at(1, now));
  if (tokens_) ready = std::max(ready, tokens_->ready_at(static_cast<double>(tokens), now));
  return ready;
}

void Pacing::on_sent(std::int64_t tokens, TimePoint now) {
  if (calls_) calls_->take(1, now);
  if (tokens_) tokens_->take(static_cast<double>(tokens), now);
}

void Pacing::on_answer(const PaceHint& hint, std::int64_t estimated, std::int64_t actual,
                       TimePoint now) {
  if (tokens_) tokens_->take(static_cast<double>(actual - estimated), now);
  const auto pause = [&](milliseconds wait) {
    paused_until_ = std::max(paused_until_, now + std::min(wait, kLongestPause));
  };
  if (hint.retry_after) pause(*hint.retry_after);
  if (hint.remaining_calls.value_or(1) <= 0 && hint.calls_reset) pause(*hint.calls_reset);
  if (hint.remaining_tokens.value_or(1) <= 0 && hint.tokens_reset) pause(*hint.tokens_reset);
}

std::optional<TimePoint> Pacing::paused_until(TimePoint now) const {
  if (paused_until_ <= now) return std::nullopt;
  return paused_until_;
}

}  // namespace personascope::sched
