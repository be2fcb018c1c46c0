#include "sched/retry.hpp"

#include <algorithm>

namespace personascope::sched {
namespace {

constexpr int kDoubledWaits = 5;

}  // namespace

bool is_worth_retrying(ErrorKind kind) {
  return kind == ErrorKind::RateLimited || kind == ErrorKind::Transient ||
         kind == ErrorKind::Timeout || kind == ErrorKind::Unreachable;
}

std::optional<milliseconds> find_retry_wait(const RetryPolicy& policy, int retry,
                                            std::optional<milliseconds> retry_after,
                                            Random& random) {
  if (retry > policy.max_retries) return std::nullopt;
  const int steps = std::clamp(retry - 1, 0, 12);
  const int doublings = std::min(steps, kDoubledWaits) + 2 * std::max(0, steps - kDoubledWaits);
  const milliseconds ceiling =
      std::min<milliseconds>(policy.longest_wait, policy.first_wait * (1LL << doublings));
  const auto jittered = milliseconds(
      static_cast<long long>(static_cast<double>(ceiling.count()) * (0.5 + 0.5 * random.unit())));
  return std::max(jittered, retry_after.value_or(milliseconds{0}));
}

}  // namespace personascope::sched
