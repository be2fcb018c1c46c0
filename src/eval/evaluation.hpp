// The interface of an evaluation: pieces of work that make model calls, items that each end in an
// outcome, and findings when all items have one.
//
// An evaluation is straight-line code over the journal of model calls: it uses neither store nor
// clock, and a call that was answered before costs nothing. So resuming means running it again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "core/item.hpp"
#include "core/verdict.hpp"
#include "llm/ask_chain.hpp"
#include "llm/model.hpp"

namespace personascope::eval {

using core::ItemRecord;

// An item that ended with the verdict, without cluster, label and document.
ItemRecord make_item(std::int64_t position, std::string id, const core::Verdict& verdict);

// What a piece of work may use. An item is recorded once; one that was not, because the run stops,
// is taken up again by the next run.
struct ItemContext {
  llm::AskChain& chain;
  std::function<void(ItemRecord)> record;
};

// Calls that the evaluation expects to make, for estimates.
struct Forecast {
  std::string model;
  std::string role;
  std::int64_t calls = 0;
  std::int64_t input_tokens = 0;       // of all calls
  std::int64_t max_output_tokens = 0;  // of all calls
};

// About how many tokens a text has, for forecasts.
inline std::int64_t tokens_of(std::size_t bytes) {
  return static_cast<std::int64_t>(bytes / 4 + 1);
}

// The model of that name; the same one for the same name.
using FindModel = std::function<Result<llm::Model*>(const std::string& name)>;

// Used on the loop's thread only.
class Evaluation {
 public:
  virtual ~Evaluation() = default;

  virtual std::int64_t items() const = 0;
  virtual std::vector<Forecast> forecast() const = 0;

  // How many pieces of work there are. A piece is what is carried out together: an item or several.
  virtual std::int64_t pieces() const = 0;
  // Carries out a piece, from 0. Pieces may be carried out in any order and at the same time, each
  // once. The context lives until the task ends.
  virtual Task<void> work(ItemContext& context, std::int64_t piece) = 0;

  // The findings, once every item has its outcome; writes the evaluation's own files.
  virtual Result<Json> finish() = 0;
};

}  // namespace personascope::eval
