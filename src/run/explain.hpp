// Why a replay missed: how the call it wanted differs from the nearest one in the journal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "llm/ask_chain.hpp"
#include "run/batch.hpp"
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

// Goes through the calls of a run without sending or writing anything and explains the first that
// are not in the journal. The store outlives it.
class MissFinder {
 public:
  // Only for `item`, if given.
  MissFinder(store::Store& store, std::optional<std::string> item)
      : store_(store), item_(std::move(item)) {}

  // A call that the run makes; `salt` is what keeps its role's answers apart.
  Result<void> visit(const llm::Model& model, const core::Request& request, const llm::Draw& draw,
                     const std::string& salt);

  // Fails as Invalid if the wanted item is not in the input.
  Result<std::vector<MissExplanation>> finish(const std::string& input);

 private:
  store::Store& store_;
  std::optional<std::string> item_;
  std::vector<MissExplanation> explanations_;
  bool found_item_ = false;
};

// Goes through a batch without sending or writing anything and explains its first misses.
Result<std::vector<MissExplanation>> explain_batch_misses(const RunEnvironment& environment,
                                                          const store::RunRecord& run,
                                                          const BatchPlan& plan,
                                                          const std::optional<std::string>& item);

}  // namespace personascope::run
