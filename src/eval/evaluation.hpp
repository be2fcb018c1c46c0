// What an evaluation is to whoever carries it out: pieces of work that ask models, items that each
// end in an outcome, and findings when all of them have.
//
// An evaluation is straight-line code over the journal of model calls: it knows neither store nor
// clock, and asking again for what was answered costs nothing. So to resume it is to run it again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "core/reply.hpp"
#include "llm/ask_chain.hpp"
#include "llm/model.hpp"

namespace personascope::eval {

// How one item ended.
struct ItemRecord {
  std::int64_t index = 0;
  std::string item;
  core::Outcome outcome = core::Outcome::Ok;
  std::string detail;              // the error, or the item's scores as JSON
  std::optional<ErrorKind> error;  // of a Failed
};

// What a piece of work may use. An item is recorded and written once; one that was not, because the
// run stops, is taken up again by the next run.
struct Desk {
  llm::AskChain& chain;
  std::function<void(ItemRecord)> record;
  std::function<void(std::int64_t index, std::string line)> write;  // the item's line of output
};

// Calls that the evaluation expects to make, for estimates.
struct Forecast {
  std::string model;
  std::string role;
  std::int64_t calls = 0;
  std::int64_t input_tokens = 0;        // of all calls
  std::int64_t most_output_tokens = 0;  // likewise
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

  // The next piece of work, which handles one item or several, or nothing at the end. The desk
  // lives until the work's task ends.
  using Work = std::function<Task<void>(Desk&)>;
  virtual std::optional<Work> next() = 0;

  // The findings, once every item has its outcome; writes the evaluation's own files.
  virtual Result<Json> finish() = 0;
};

}  // namespace personascope::eval
