#include "sched/learned_pace.hpp"

#include <algorithm>

namespace personascope::sched {
namespace {

constexpr double kEnoughCalls = 8;  // to learn a rate from
constexpr double kFewCalls = 3;     // to learn it from in a long time
constexpr seconds kLongTime{1};
constexpr milliseconds kShortestPeriod{250};
constexpr double kShortestPeriodCalls = 2;  // so that a rate is not forgotten before it is tried
constexpr double kPeriodSeconds = 4;
constexpr double kPeriodCalls = 250;  // so that few calls are refused where calls are few
constexpr double kBurstSeconds = 0.1;
constexpr double kForgotten = 4;    // times the rate: then it is none any more
constexpr double kSlowest = 0.001;  // calls a second

double in_seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

Duration make_duration(double seconds_long) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds_long));
}

}  // namespace

double LearnedPace::growth_at(TimePoint now) const {
  const TimePoint until = std::max(grows_from_, paused_at_.value_or(now));
  const double periods = in_seconds(until - grows_from_) / in_seconds(period_);
  return 0.98 + 0.04 * periods + 0.12 * periods * periods;
}

double LearnedPace::calls_per_second(TimePoint now) const {
  return rate_ ? rate_->calls * growth_at(now) : 0;
}

void LearnedPace::apply(TimePoint now) {
  if (!rate_) return;
  const double growth = growth_at(now);
  if (growth > kForgotten) {
    rate_.reset();
    return;
  }
  rate_->call_bucket.set_rate(rate_->calls * growth, now);
  rate_->token_bucket.set_rate(rate_->tokens * growth, now);
}

TimePoint LearnedPace::ready_at(std::int64_t tokens, TimePoint now) {
  apply(now);
  if (!rate_) return now;
  return std::max({held_until_, rate_->call_bucket.ready_at(1, now),
                   rate_->token_bucket.ready_at(static_cast<double>(tokens), now)});
}

void LearnedPace::on_sent(std::int64_t tokens, TimePoint now) {
  if (!started_at_) started_at_ = marked_at_ = now;
  for (Count* count : {&since_mark_, &total_}) {
    count->calls += 1;
    count->tokens += static_cast<double>(tokens);
  }
  if (!rate_) return;
  rate_->call_bucket.take(1, now);
  rate_->token_bucket.take(static_cast<double>(tokens), now);
}

void LearnedPace::count_refused(std::int64_t tokens) {
  for (Count* count : {&since_mark_, &total_}) {
    count->calls -= 1;
    count->tokens -= static_cast<double>(tokens);
  }
}

void LearnedPace::on_pause(TimePoint now) {
  has_pause_ = true;
  if (!paused_at_) paused_at_ = now;
}

void LearnedPace::on_resume(TimePoint now) {
  if (!paused_at_) return;
  grows_from_ += now - std::max(*paused_at_, grows_from_);
  paused_at_.reset();
}

void LearnedPace::mark(std::int64_t tokens, TimePoint now) {
  count_refused(tokens);
  start_counting(now);
  learned_from_ = {};
}

void LearnedPace::start_counting(TimePoint now) {
  since_mark_ = {};
  has_pause_ = false;
  marked_at_ = now;
}

void LearnedPace::learn(std::int64_t tokens, TimePoint now) {
  count_refused(tokens);
  Count taken = since_mark_;
  if (marked_at_) taken.time = now - *marked_at_;
  learned_from_ = {};
  const double growth = rate_ ? growth_at(now) : 1;
  grows_from_ = now;
  if (taken.calls >= kEnoughCalls || (taken.time >= kLongTime && taken.calls >= kFewCalls)) {
    set_rate(taken, has_pause_ ? Trust::Little : Trust::Full, now);
    learned_from_ = taken;
    start_counting(now);
  } else if (rate_) {
    // Not enough to learn from yet, but faster than the server allows.
    rate_->calls = std::max(kSlowest, rate_->calls * growth / 2);
    rate_->tokens = std::max(kSlowest, rate_->tokens * growth / 2);
  } else if (total_.calls >= kFewCalls) {
    taken = total_;
    taken.time = now - *started_at_;
    set_rate(taken, Trust::Little, now);
  } else {
    return;
  }
  apply(now);
  rate_->call_bucket.make_empty(now);
  rate_->token_bucket.make_empty(now);
  // The server has nothing left, and the refused call is the next to be sent: wait until there is
  // enough for it, and a call's worth more, since clocks are not exact.
  held_until_ =
      now +
      make_duration(std::min(
          10.0, std::max(2 / rate_->calls, 1.5 * static_cast<double>(tokens) / rate_->tokens)));
}

void LearnedPace::lower(std::int64_t tokens, TimePoint now) {
  total_.calls -= 1;
  total_.tokens -= static_cast<double>(tokens);
  if (!rate_ || learned_from_.calls <= 1 || learned_from_.tokens <= static_cast<double>(tokens))
    return;
  learned_from_.calls -= 1;
  learned_from_.tokens -= static_cast<double>(tokens);
  const Duration period = period_;
  set_rate(learned_from_, Trust::Full, now);
  period_ = period;
}

void LearnedPace::set_rate(const Count& taken, Trust trust, TimePoint now) {
  const double time = std::max(1e-3, in_seconds(taken.time));
  const double calls = std::max(kSlowest, taken.calls / time);
  const double tokens = std::max(kSlowest, std::max(1.0, taken.tokens) / time);
  const double longest = std::max(kPeriodSeconds, kPeriodCalls / calls);
  // What is little trusted grows quickly until the next refusal, which gives a better one.
  const Duration shortest =
      std::max<Duration>(kShortestPeriod, make_duration(kShortestPeriodCalls / calls));
  period_ = trust == Trust::Little
                ? shortest
                : std::clamp<Duration>(2 * taken.time, shortest,
                                       std::max(shortest, make_duration(longest)));
  if (!rate_)
    rate_.emplace(calls, tokens, RateBucket(calls, kBurstSeconds),
                  RateBucket(tokens, kBurstSeconds));
  rate_->calls = calls;
  rate_->tokens = tokens;
  apply(now);
}

}  // namespace personascope::sched
