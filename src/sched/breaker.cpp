#include "sched/breaker.hpp"

namespace personascope::sched {
namespace {

// A server that says so to one call may mean that call; to so many in a row, it means all.
constexpr std::size_t kManyCalls = 5;

}  // namespace

void Breaker::on_answer(TimePoint sent_at, TimePoint now) {
  // What was sent before the outage says nothing of its end.
  if (is_open_ && sent_at < opened_at_) return;
  is_open_ = false;
  has_answered_ = true;
  answered_at_ = now;
  unanswered_.clear();
}

bool Breaker::on_fault(Fault fault, std::uint64_t call, TimePoint sent_at, TimePoint now) {
  if (is_open_) return true;
  if (!has_answered_ || answered_at_ > sent_at) return false;  // the server answers others
  unanswered_.insert(call);
  if (fault != Fault::NoConnection && unanswered_.size() < kManyCalls) return false;
  is_open_ = true;
  opened_at_ = now;
  next_probe_ = now + kProbeEvery;
  return true;
}

}  // namespace personascope::sched
