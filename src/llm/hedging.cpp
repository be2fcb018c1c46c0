#include <utility>

#include "llm/asking.hpp"

namespace personascope::llm {

// Two requests for one draw: the second starts when the first is slow, the first answer counts. The
// time in the limiter's queue is not the server's, so it does not make a request slow; and a second
// request that the budget has no room for is done without.
Task<Attempt> AskChain::send_hedged(std::shared_ptr<Asking> shared) {
  auto first = co_await budget_.reserve(shared->size, shared->price);
  if (!first) co_return Attempt{std::unexpected(std::move(first).error()), {}};
  // Shared: the loser still winds down after the winner's answer was taken.
  const auto race = std::make_shared<Race>(loop_);
  race->running = 1;
  loop_.spawn(run_lane(shared, race, 0, std::move(*first)));
  co_await race->lanes[0].sent.wait();
  const bool is_quick = co_await race->decided.wait_for(*options_.hedge_after);
  if (!is_quick) {
    if (auto second = budget_.find_room(shared->size, shared->price)) {
      ++race->running;
      loop_.spawn(run_lane(shared, race, 1, std::move(*second)));
    }
    co_await race->decided.wait();
  }
  for (Lane& lane : race->lanes) lane.cancel.request();
  co_return std::move(*race->best);
}

Task<void> AskChain::run_lane(std::shared_ptr<Asking> shared, std::shared_ptr<Race> race,
                              std::size_t index, Budget::Reservation reservation) {
  Lane& lane = race->lanes[index];
  Attempt attempt = co_await send_once(*shared, std::move(reservation), &lane);
  const bool was_sent = lane.sent.is_set();
  lane.sent.set();
  --race->running;
  const bool is_answered = attempt.reply || is_answer(attempt.reply.error().kind);
  if (!race->decided.is_set() && (is_answered || race->running == 0)) {
    race->best = std::move(attempt);
    shared->charge = lane.charge;
    if (lane.slot) shared->slot.emplace(std::move(*lane.slot));
    race->decided.set();
  } else if (was_sent) {
    lane.slot.reset();
    // It was sent, so it counts.
    const Error error = attempt.reply ? Error{ErrorKind::Cancelled, "its hedged copy was faster"}
                                      : attempt.reply.error();
    record_attempt(*shared, error, attempt.latency_us, lane.charge);
  }
}

}  // namespace personascope::llm
