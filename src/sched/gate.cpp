#include "sched/gate.hpp"

#include <algorithm>

namespace personascope::sched {
namespace {

constexpr milliseconds kFirstOwnPause{250};  // where the server names none; doubles
constexpr milliseconds kLongestOwnPause{15'000};
constexpr int kShortPauses = 4;
// A refusal with so much less in flight than the server took a moment ago is not about how many are
// in flight.
constexpr double kMuchLess = 0.8;
constexpr milliseconds kEpisode{500};  // refusals closer than that have one cause
// Nor is a burst that leaves so much less than the server once took. Not more: an answer that has
// not been seen yet still counts as in flight.
constexpr double kFarLess = 0.5;
constexpr int kProven = 8;  // in flight: where the server once took fewer, this says nothing

}  // namespace

Gate::Gate(const LimiterOptions& options) : options_(options), pacing_(options.pace) {}

Gate::Role& Gate::role_of(const std::string& role) {
  return roles_.try_emplace(role, options_.limit).first->second;
}

bool Gate::has_slot(const std::string& role) {
  const Role& state = role_of(role);
  return state.in_flight < state.limit.limit() && state.slots < std::max(1, options_.limit.most);
}

TimePoint Gate::ready_at(std::int64_t tokens, TimePoint now) {
  if (breaker_.is_open()) return std::max(breaker_.next_probe(), pacing_.ready_at(tokens, now));
  if (is_proving_ && probes_ > 0) return kNoTime;
  return std::max(pacing_.ready_at(tokens, now), learned_.ready_at(tokens, now));
}

Gate::Pass Gate::send(const std::string& role, std::int64_t tokens, std::uint64_t call,
                      TimePoint now) {
  Role& state = role_of(role);
  ++state.in_flight;
  ++state.slots;
  if (breaker_.is_open()) breaker_.on_probe(now);
  if (is_proving_)
    ++probes_;
  else
    learned_.on_resume(now);
  pacing_.on_sent(tokens, now);
  learned_.on_sent(tokens, now);
  return {role, tokens, call, ++sent_, now, in_flight(), is_proving_};
}

Blame Gate::end(const Pass& pass, CallEnd how, const PaceHint& hint, std::int64_t actual_tokens,
                TimePoint now) {
  Role& role = role_of(pass.role);
  const int in_flight = role.in_flight--;
  if (pass.is_probe) --probes_;
  pacing_.on_answer(hint, pass.tokens, actual_tokens, now);
  switch (how) {
    case CallEnd::Success:
      breaker_.on_answer(pass.sent_at, now);
      role.limit.on_success(in_flight, pass.sent_at, now);
      proven_ = std::max(proven_, pass.in_flight);
      has_success_since_ = true;
      is_proving_ = false;
      pauses_ = 0;
      return Blame::Call;
    case CallEnd::Refused:
      breaker_.on_answer(pass.sent_at, now);
      if (options_.limit.adapt) on_refused(pass, hint, now);
      return Blame::Account;
    case CallEnd::Unreachable:
    case CallEnd::Unavailable: {
      const Fault fault = how == CallEnd::Unreachable ? Fault::NoConnection : Fault::Unavailable;
      return breaker_.on_fault(fault, pass.call, pass.sent_at, now) ? Blame::Account : Blame::Call;
    }
    case CallEnd::Other:
      break;
  }
  return Blame::Call;
}

void Gate::on_refused(const Pass& pass, const PaceHint& hint, TimePoint now) {
  const int left = in_flight();
  if (cut_number_ > 0 && pass.number <= cut_number_) {
    on_same_burst(pass, now);
    if (left == 0 && !has_success_since_) pause(hint, now);
    return;
  }
  const bool is_same_episode = cut_number_ > 0 && now - cut_at_ < kEpisode;
  if (!is_same_episode) taken_ = left;
  is_cut_by_rate_ = learned_.is_on() || (cut_number_ > 0 && left == 0) || left < kMuchLess * taken_;
  if (is_cut_by_rate_) {
    learned_.learn(pass.tokens, now);
  } else {
    learned_.mark(pass.tokens, now);
    Role& role = role_of(pass.role);
    role.limit.cut(role.in_flight, now);
  }
  if (!has_success_since_ && (cut_number_ > 0 || left == 0)) pause(hint, now);
  cut_number_ = sent_;
  cut_at_ = now;
  has_success_since_ = false;
}

void Gate::on_same_burst(const Pass& pass, TimePoint now) {
  --taken_;
  if (is_cut_by_rate_) {
    learned_.lower(pass.tokens, now);
    return;
  }
  AdaptiveLimit& limit = role_of(pass.role).limit;
  limit.lower();
  is_cut_by_rate_ = proven_ >= kProven && taken_ < kFarLess * proven_;
  if (!is_cut_by_rate_) {
    learned_.lower(pass.tokens, now);
    return;
  }
  limit.take_back_cut();
  learned_.learn(pass.tokens, now);
}

void Gate::pause(const PaceHint& hint, TimePoint now) {
  const milliseconds asked = hint.retry_after.value_or(milliseconds{0});
  // A server that asks for next to nothing again and again means "some time".
  const bool is_clear = asked >= kFirstOwnPause || (asked.count() > 0 && pauses_ < kShortPauses);
  const int doublings = std::clamp(asked.count() > 0 ? pauses_ - kShortPauses : pauses_, 0, 10);
  const milliseconds own =
      std::min<milliseconds>(kFirstOwnPause * (1 << doublings), kLongestOwnPause);
  pacing_.pause(is_clear ? asked : own, now);
  ++pauses_;
  learned_.on_pause(now);
  is_proving_ = true;
  for (auto& [name, role] : roles_) role.limit.restart();
}

void Gate::release(const Pass& pass) {
  --role_of(pass.role).slots;
}

int Gate::in_flight() const {
  int sum = 0;
  for (const auto& [name, role] : roles_) sum += role.in_flight;
  return sum;
}

int Gate::limit() const {
  int sum = 0;
  for (const auto& [name, role] : roles_) sum += role.limit.limit();
  return sum;
}

}  // namespace personascope::sched
