// How every model call is made: journal -> budget -> limiter -> provider, with retries, -> journal.
// docs/design/ask-chain.md has the reasons.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "llm/budget.hpp"
#include "llm/call.hpp"
#include "llm/meter.hpp"
#include "llm/model.hpp"
#include "llm/prices.hpp"
#include "sched/limiter.hpp"
#include "sched/retry.hpp"
#include "sched/stop.hpp"
#include "store/journal.hpp"

namespace personascope::llm {

struct ChainOptions {
  std::int64_t run = 0;  // the run that pays
  // Roles whose answers must not come from earlier runs, and what keeps them apart: the run's uid.
  bool fresh = false;                 // every role
  std::set<std::string> fresh_roles;  // or only these
  std::string salt;
  // Roles that may not be sent to a provider at all: every one if `replay`. The answers of
  // `replay_roles` are another run's, which kept them apart by `replay_salt` if it was fresh.
  bool replay = false;
  std::set<std::string> replay_roles;
  std::string replay_salt;
  bool retries_empty = true;    // ask once more where the answer has no text
  bool stop_on_miss = true;     // false: go on, and collect the misses
  std::size_t max_misses = 20;  // that are kept

  // Ask again where the stored answer is an error that a call fails with (not a refusal). The new
  // answer is stored beside the old one and found in its place from then on.
  bool retry_failed = false;

  sched::LimiterOptions limiter;
  sched::RetryPolicy retry;
  milliseconds total_timeout{30 * 60'000};  // one call with all its retries, from when it is sent
  std::optional<milliseconds> hedge_after;  // send a second request if the first is this slow

  // Told of every answer that an ask gave, new or from the journal, before the ask returns.
  std::function<void(const Draw& draw, const Digest& key, const Result<core::Reply>& answer)>
      on_answer;
};

// A call that a replay needed and the journal does not have.
struct Miss {
  Draw draw;
  Call call;
};

// Used on the loop's thread only; outlives every ask.
class AskChain {
 public:
  AskChain(sched::Loop& loop, sched::Stop& stop, store::Journal& journal, Budget& budget,
           const Prices& prices, ChainOptions options);

  // The answer to the request, from the journal if it was answered before, and committed to it
  // before this returns. A reply may be a refusal (see core::is_refusal). Errors: whatever the
  // provider's last attempt gave, or Cancelled, BudgetExhausted, NotFound (a replay's miss),
  // Storage. Errors that would affect every further call (Unauthorized, NotFound, Misconfigured)
  // stop the run and are never stored in the journal. An empty reply is asked for once more.
  // `on_text`, if given, gets the text as it arrives; where a try broke off half-way, the next
  // one's text begins on a new line. Such a call is not hedged. An exception thrown by the model
  // stops the run as Internal.
  Task<Result<core::Reply>> ask(Model& model, core::Request request, Draw draw,
                                std::function<void(std::string_view)> on_text = {});

  const Meter& meter() const { return meter_; }
  // What the waiting calls wait for, in words; empty if nothing unusual.
  std::string describe_wait() const;
  // The first misses of a replay, `max_misses` at most.
  const std::vector<Miss>& misses() const { return misses_; }

 private:
  struct Pending {
    explicit Pending(sched::Loop& loop) : done(loop) {}
    sched::Signal done;
    std::optional<Result<core::Reply>> result;
  };
  struct Asking;  // one call on its way through the chain
  struct Lane;    // one of the two requests of a hedged call
  struct Race;    // both

  // Calls on_answer, if there is an answer.
  void tell(const Draw& draw, const Digest& key, const Result<core::Reply>& answer) const;
  // Shared, because a hedged request may outlive the ask that it lost.
  Task<Result<core::Reply>> answer(std::shared_ptr<Asking> shared);
  Task<Result<std::optional<Result<core::Reply>>>> look_up(Asking& asking);
  // The newest answer under the call's key or one of its later rounds. Where it has to be asked
  // again, the call gets the next round's key.
  Task<Result<std::optional<Result<core::Reply>>>> find_newest(Asking& asking);
  Task<Result<core::Reply>> send_until_answered(std::shared_ptr<Asking> shared);
  Task<Attempt> send_alone(Asking& asking);
  Task<Attempt> send_hedged(std::shared_ptr<Asking> shared);
  Task<void> run_lane(std::shared_ptr<Asking> shared, std::shared_ptr<Race> race, std::size_t index,
                      Budget::Reservation reservation);
  Task<Attempt> send_once(Asking& asking, Budget::Reservation reservation, Lane* lane);
  // The answer that another process has stored first, if there is one: then that is the call's.
  Task<Result<std::optional<Result<core::Reply>>>> commit(Asking& asking,
                                                          const Result<core::Reply>& answer);
  void record_attempt(const Asking& asking, const Error& error, std::int64_t latency_us,
                      const store::Charge& charge);
  // Settles the reservation, with what the journal is to be told.
  store::Charge count(const Asking& asking, const Attempt& attempt,
                      Budget::Reservation& reservation);
  // If a server asks to wait longer than a call may take, the run stops.
  void stop_if_too_long(const sched::PaceHint& pace, const Error& error);
  // No connection before the host's first answer: no call would get one.
  void stop_if_never_reached(const Attempt& attempt, const sched::Limiter& limiter);
  // Whether a call that its account kept from being answered has time to wait for another turn;
  // says so in the error if not.
  bool may_queue_again(Asking& asking, Error& error);
  // What keeps the role's answers apart; empty: nothing.
  const std::string& salt_of(const std::string& role) const;
  bool is_replay(const std::string& role) const;
  sched::Limiter& limiter_of(const Model& model);

  sched::Loop& loop_;
  sched::Stop& stop_;
  store::Journal& journal_;
  Budget& budget_;
  const Prices& prices_;
  ChainOptions options_;
  Meter meter_;
  std::map<std::string, std::unique_ptr<sched::Limiter>> limiters_;
  std::unordered_map<std::string, std::shared_ptr<Pending>> in_flight_;  // by key
  std::unordered_set<std::string> asked_again_;  // keys of calls that got a further round here
  std::vector<Miss> misses_;
  std::uint64_t asked_ = 0;
  std::int64_t waiting_to_retry_ = 0;
  std::string last_error_;  // what the last call to be tried again met
};

}  // namespace personascope::llm
