#include "sched/pacing.hpp"

#include <algorithm>

namespace personascope::sched {
namespace {

Duration make_duration(double in_seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(in_seconds));
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
  level_ -= amount;
}

Pacing::Pacing(const PaceOptions& options) {
  if (options.calls_per_minute) calls_.emplace(*options.calls_per_minute);
  if (options.tokens_per_minute) tokens_.emplace(*options.tokens_per_minute);
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
    paused_until_ = std::max(paused_until_, now + wait);
  };
  if (hint.retry_after) pause(*hint.retry_after);
  if (hint.remaining_calls == 0 && hint.calls_reset) pause(*hint.calls_reset);
  if (hint.remaining_tokens == 0 && hint.tokens_reset) pause(*hint.tokens_reset);
}

std::optional<TimePoint> Pacing::paused_until(TimePoint now) const {
  if (paused_until_ <= now) return std::nullopt;
  return paused_until_;
}

}  // namespace personascope::sched
