// For tests: calls through a gate to an imitated server, in imitated time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "sched/gate.hpp"

namespace personascope::sched {

class GateBench {
 public:
  struct Reply {
    CallEnd end = CallEnd::Success;
    Duration after{};
    PaceHint hint{};
  };
  // Gets the number that the server has in service, the call's tokens, and the time.
  using Server = std::function<Reply(int in_service, std::int64_t tokens, TimePoint now)>;

  GateBench(const LimiterOptions& options, Server server)
      : gate(options), server_(std::move(server)) {}

  // Adds calls of that many tokens.
  void add(int calls, std::int64_t tokens = 100) {
    for (int i = 0; i < calls; ++i) queue_.push_back({++last_call_, tokens});
  }

  // Until all calls are answered, or that much time has passed.
  void run(Duration most = std::chrono::hours(1)) {
    const TimePoint end = now + most;
    admit();
    while (now < end && !events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now = event.at;
      if (event.flight >= 0) land(flights_[static_cast<std::size_t>(event.flight)]);
      admit();
    }
  }

  double seconds_passed() const { return std::chrono::duration<double>(now - kStart).count(); }

  static constexpr TimePoint kStart{seconds(1000)};
  Gate gate;
  TimePoint now = kStart;
  int succeeded = 0;
  int refused = 0;
  int failed = 0;
  int tries_used = 0;
  std::vector<TimePoint> sent;
  std::function<void(CallEnd, TimePoint)> on_end = [](CallEnd, TimePoint) {};
  // When the program gets to see what happens at a time: later on a busy machine.
  std::function<TimePoint(TimePoint)> seen_at = [](TimePoint at) { return at; };

 private:
  struct Call {
    std::uint64_t id;
    std::int64_t tokens;
  };
  struct Flight {
    Call call;
    Gate::Pass pass;
    Reply reply;
  };
  struct Event {
    TimePoint at;
    std::uint64_t order;
    int flight;  // -1: only look again
    bool operator<(const Event& other) const {
      return at != other.at ? at > other.at : order > other.order;
    }
  };
  static constexpr const char* kRole = "model";

  void admit() {
    while (!queue_.empty() && gate.has_slot(kRole)) {
      const Call call = queue_.front();
      const TimePoint ready = gate.ready_at(call.tokens, now);
      if (ready > now) {
        look_again(ready);
        return;
      }
      queue_.pop_front();
      const Reply reply = server_(in_service_, call.tokens, now);
      if (reply.end != CallEnd::Refused) ++in_service_;
      flights_.push_back({call, gate.send(kRole, call.tokens, call.id, now), reply});
      sent.push_back(now);
      // Half a millisecond to get there and back.
      events_.push({seen_at(now + reply.after + std::chrono::microseconds(500)), ++order_,
                    static_cast<int>(flights_.size()) - 1});
    }
  }

  void look_again(TimePoint at) {
    if (at == Gate::kNoTime || (looks_at_ > now && looks_at_ <= at)) return;
    looks_at_ = seen_at(at);
    events_.push({looks_at_, ++order_, -1});
  }

  void land(const Flight& flight) {
    const CallEnd end = flight.reply.end;
    if (end != CallEnd::Refused) --in_service_;
    const Blame blame = gate.end(flight.pass, end, flight.reply.hint, flight.call.tokens, now);
    gate.release(flight.pass);
    on_end(end, now);
    if (end == CallEnd::Success) {
      ++succeeded;
      return;
    }
    ++(end == CallEnd::Refused ? refused : failed);
    if (blame == Blame::Call) ++tries_used;
    queue_.push_front(flight.call);
  }

  Server server_;
  std::deque<Call> queue_;
  std::deque<Flight> flights_;
  std::priority_queue<Event> events_;
  TimePoint looks_at_{};
  std::uint64_t order_ = 0;
  std::uint64_t last_call_ = 0;
  int in_service_ = 0;
};

}  // namespace personascope::sched
