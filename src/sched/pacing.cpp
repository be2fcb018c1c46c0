#include "sched/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace personascope::sched {
namespace {

// A server that asks for days must not put a run to sleep for days: after this, a call asks again.
constexpr milliseconds kLongestPause{600'000};
// A server that counts calls by the second has no room for more at once. Tokens are estimated, most
// often too high, and what a call did not take is given back: that needs room.
constexpr double kCallBurstSeconds = 0.1;
constexpr double kTokenBurstSeconds = 6;

// Whether that is a rate; not 0, by which nobody could ever go.
bool is_rate(std::optional<double> per_minute) {
  return per_minute && std::isfinite(*per_minute) && *per_minute > 0;
}

}  // namespace

Pacing::Pacing(const PaceOptions& options) {
  if (is_rate(options.calls_per_minute))
    calls_.emplace(*options.calls_per_minute / 60, kCallBurstSeconds);
  if (is_rate(options.tokens_per_minute))
    tokens_.emplace(*options.tokens_per_minute / 60, kTokenBurstSeconds);
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
  if (hint.remaining_calls.value_or(1) <= 0 && hint.calls_reset) pause(*hint.calls_reset, now);
  if (hint.remaining_tokens.value_or(1) <= 0 && hint.tokens_reset) pause(*hint.tokens_reset, now);
}

void Pacing::pause(milliseconds wait, TimePoint now) {
  paused_until_ = std::max(paused_until_, now + std::min(wait, kLongestPause));
}

std::optional<TimePoint> Pacing::paused_until(TimePoint now) const {
  if (paused_until_ <= now) return std::nullopt;
  return paused_until_;
}

}  // namespace personascope::sched
