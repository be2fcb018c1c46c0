// Why a replay missed: how the call it wanted differs from the nearest one in the journal.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "llm/ask_chain.hpp"
#include "store/store.hpp"

namespace personascope::run {

// How many are explained at most.
inline constexpr std::size_t kMostMisses = 20;

struct Difference {
  std::string place;   // e.g. "request/messages/1/content"
  std::string stored;  // as JSON, shortened around the first difference; empty if it is not there
  std::string wanted;
};

struct MissExplanation {
  std::string item;
  std::string role;
  bool has_nearest = false;  // whether anything comparable is stored
  std::string nearest_item;
  std::vector<Difference> differences;
};

Json to_json(const MissExplanation& explanation);

// Compares with the calls stored for the same item, else with the newest of the same role.
Result<MissExplanation> explain_miss(store::Store& store, const llm::Miss& miss);

}  // namespace personascope::run
