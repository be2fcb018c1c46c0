// Profile lift: how much more likely this user's profile makes the assistant's turns than no
// profile, and than another user's. Computed from a model's likelihoods: no judge can be influenced
// by a turn.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "eval/personalens/dialogue.hpp"

namespace personascope::eval::personalens {

// One turn of the assistant, in nats a token.
struct TurnLift {
  std::size_t user = 0;
  std::size_t task = 0;
  std::size_t turn = 0;     // from 0
  double over_neutral = 0;  // own profile minus none
  double over_other = 0;    // own profile minus the other user's
};

// Reads every turn of the assistant. Fails if the run stops (core::is_unfinished) or a turn cannot
// be read: it is too long for the reader, say. Everything outlives the task.
Task<Result<std::vector<TurnLift>>> read_lift(llm::AskChain& chain, llm::Model& reader,
                                              const Words& words, const Scenario& scenario,
                                              const ScenarioTexts& own, const ScenarioTexts& other,
                                              const Dialogue& dialogue, const std::string& item);

// {"turns", "over_neutral": {"mean", "ci95"}, "over_other": {…}, "by_turn": […]}
Json summarize_lift(const std::vector<TurnLift>& turns);

}  // namespace personascope::eval::personalens
