#include "run/progress.hpp"

#include <cmath>

namespace personascope::run {
namespace {

constexpr double kMemorySeconds = 5;

double in_seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

std::int64_t done(const Progress& progress) {
  return progress.outcomes.total();
}

std::optional<Duration> find_time_left(const Progress& progress) {
  const std::int64_t finished = done(progress);
  if (progress.stopping || !progress.waiting_for.empty() || finished >= progress.items)
    return std::nullopt;
  const auto scale = [&](std::int64_t left, std::int64_t past) {
    return std::chrono::duration_cast<Duration>(
        progress.elapsed * (static_cast<double>(left) / static_cast<double>(past)));
  };
  const std::int64_t calls = progress.meter.ended;
  // At the end, the work that is left may be something else than calls: reading likelihoods.
  if (20 * calls < 19 * progress.expected_calls) {
    const std::int64_t slow = calls - progress.meter.from_journal;  // the journal takes no time
    if (slow <= 0 || 10 * calls < progress.expected_calls) return std::nullopt;
    return scale(progress.expected_calls - calls, slow);
  }
  return finished > 0 ? std::optional(scale(progress.items - finished, finished)) : std::nullopt;
}

Json to_json(const Progress& progress) {
  const llm::Meter& meter = progress.meter;
  Json value = {{"run", progress.run},
                {"items", progress.items},
                {"expected_calls", progress.expected_calls},
                {"outcomes", core::to_json(progress.outcomes)},
                {"in_flight", meter.in_flight},
                {"sent", meter.sent},
                {"from_journal", meter.from_journal},
                {"retried", meter.retried},
                {"rate_limited", meter.rate_limited},
                {"input_tokens", meter.input_tokens},
                {"output_tokens", meter.output_tokens},
                {"cost_usd", meter.cost_usd},
                {"unpriced_calls", meter.unpriced},
                {"calls_per_second", progress.calls_per_second},
                {"elapsed_s", in_seconds(progress.elapsed)},
                {"stopping", progress.stopping}};
  if (progress.time_left) value["time_left_s"] = in_seconds(*progress.time_left);
  if (!progress.waiting_for.empty()) value["waiting_for"] = progress.waiting_for;
  return value;
}

double RateMeter::update(std::int64_t count, TimePoint now) {
  if (last_at_) {
    const double passed = in_seconds(now - *last_at_);
    if (passed <= 0) return rate_;
    const double kept = std::exp(-passed / kMemorySeconds);
    counted_ = counted_ * kept + static_cast<double>(count - last_count_);
    seconds_ = seconds_ * kept + passed;
    rate_ = counted_ / seconds_;
  }
  last_at_ = now;
  last_count_ = count;
  return rate_;
}

}  // namespace personascope::run
