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
#include <string_view>
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
  // The line of an item, without its end, for an evaluation with lines of its own
  // (Evaluation::lines). Positions begin at 0, each has one line, and the output has them in order.
  std::function<void(std::int64_t position, std::string line)> write_line{};
  // Stops the run because it cannot go on: its input has changed.
  std::function<void(Error)> stop{};
};

// Calls that the evaluation expects to make, for estimates.
struct Forecast {
  std::string model;
  std::string role;
  std::int64_t calls = 0;
  std::int64_t input_tokens = 0;       // of all calls
  std::int64_t max_output_tokens = 0;  // likewise
};

// Whether a call for "a/b" may be one of the item "a": not where ids are the user's own.
enum class ItemIds { Nested, Plain };

using VisitCall =
    std::function<Result<void>(const llm::Model&, const core::Request&, const llm::Draw&)>;

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
  // Empty where the number of items tells how far the run is and visit_calls what it takes.
  virtual std::vector<Forecast> forecast() const = 0;
  // Goes through the calls that will be made, where they are known before anything is answered.
  // False: they are not, and the forecast is all there is. Fails as `visit` does, or if the input
  // cannot be read.
  virtual Result<bool> visit_calls(const VisitCall& /*visit*/) const { return false; }

  // What to know before anything is sent: an input that is far longer than the others.
  virtual std::vector<std::string> notes() const { return {}; }

  // How many pieces of work there are. A piece is what is carried out together: an item or several.
  virtual std::int64_t pieces() const = 0;
  // Carries out a piece, from 0. Pieces may be carried out in any order and at the same time, each
  // once. The context lives until the task ends.
  virtual Task<void> work(ItemContext& context, std::int64_t piece) = 0;

  // What its lines are ("answers") if it writes lines of its own while it works; if it does not,
  // the stored items are exported when all have ended.
  virtual std::string_view lines() const { return {}; }
  virtual ItemIds ids() const { return ItemIds::Nested; }

  // The findings, once every item has its outcome; null if there are none. Writes the evaluation's
  // own files.
  virtual Result<Json> finish() = 0;
};

}  // namespace personascope::eval
