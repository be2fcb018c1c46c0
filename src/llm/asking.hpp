// What the ask chain knows of a call on its way; for its own files only.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "llm/ask_chain.hpp"
#include "llm/thinking.hpp"

namespace personascope::llm {

// Errors that the same call gives on every try: they are its answer.
bool is_answer(ErrorKind kind);

// One call on its way through the chain.
struct AskChain::Asking {
  Model& model;
  core::Request request;
  Draw draw;
  std::function<void(std::string_view)> on_text;
  Call call;
  CallSize size;
  std::optional<Price> price;
  std::uint64_t number = 0;  // the same for all tries
  std::optional<TimePoint> first_sent_at{};
  bool comes_back = false;              // to the head of the queue
  std::optional<Error> last_failure{};  // that kept it from being answered
  std::string shown{};                  // what on_text has got, over all attempts
  // Of the last attempt. An answer keeps its slot until it is committed, so that a kill loses no
  // more calls than may be in flight.
  std::int64_t latency_us = 0;
  store::Charge charge{};
  std::optional<sched::Limiter::Permit> slot{};

  // For one attempt: thinking is not shown, nor what an earlier attempt has shown already.
  std::function<void(std::string_view)> make_listener() {
    if (!on_text) return {};
    return [this, said = std::string(), filter = ThinkingFilter()](std::string_view piece) mutable {
      said += filter.feed(piece);
      if (!std::string_view(shown).starts_with(said)) show(said);
    };
  }

  void show(const std::string& text) {
    if (text == shown) return;
    const bool goes_on = std::string_view(text).starts_with(shown);
    on_text(goes_on ? text.substr(shown.size()) : "\n" + text);
    shown = text;
  }
};

// One of the two requests of a hedged call.
struct AskChain::Lane {
  explicit Lane(sched::Loop& loop) : sent(loop) {}
  sched::Signal sent;  // or never to be sent
  sched::Cancel cancel;
  store::Charge charge;
  std::optional<sched::Limiter::Permit> slot;
};

// Both.
struct AskChain::Race {
  explicit Race(sched::Loop& loop) : decided(loop), lanes{Lane(loop), Lane(loop)} {}
  sched::Signal decided;
  std::optional<Attempt> best;
  int running = 0;
  std::array<Lane, 2> lanes;
};

}  // namespace personascope::llm
