// The store: the journal, and the record of every run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/reply.hpp"
#include "store/journal.hpp"

namespace personascope::store {

enum class RunState { Running, Done, Stopped, Failed };

// "running", "done", "stopped", "failed".
std::string_view name_of(RunState state);

struct OutcomeCounts {
  std::int64_t ok = 0;
  std::int64_t refused = 0;
  std::int64_t failed = 0;
};

// What a run has paid so far, over all its sessions. An answer from the journal costs nothing.
struct Spending {
  std::int64_t calls = 0;  // requests sent, retries included, even if another's answer was kept
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  double cost_usd = 0;
  std::int64_t unpriced_calls = 0;  // answered calls whose price is not known
  // With what requests of unknown cost may have taken (see Charge): what limits must count.
  std::int64_t most_tokens = 0;
  double most_cost_usd = 0;
};

struct RunRecord {
  std::int64_t id = 0;  // small and counted up from 1, for people to type
  std::string uid;      // unique over all stores: 32 hex digits
  std::string command;  // "batch", "gym", ...
  Json plan;            // all that is needed to run it again
  RunState state = RunState::Running;
  std::string note;         // why it stopped or failed; empty otherwise
  std::string started_at;   // UTC
  std::string finished_at;  // UTC; empty while it runs
  std::int64_t units = 0;   // how many units the plan has
  OutcomeCounts outcomes;   // of the units recorded so far
  Json results;             // what it found; null until it is done
};

// The outcome of one unit (a batch line, a persona, a dialogue) of a run.
struct UnitRecord {
  std::int64_t index = 0;
  std::string item;
  core::Outcome outcome = core::Outcome::Ok;
  std::string detail;  // the error's kind and message, or what the evaluation wants to keep
};

// A stored call, as later ones are compared with it.
struct StoredCall {
  std::string item;
  std::string role;
  std::string endpoint;
  std::string request;
  std::string replicate;
  std::int64_t latency_us = 0;
};

// Every method but append and record_unit works at once: when it returns, it is done. A failure is
// of kind Storage (unreadable, full, read-only, newer format), NotFound or Invalid. append,
// record_unit and flush may be called from any thread, everything else from one.
class Store : public Journal {
 public:
  // Stores a new run from the record's uid, command, plan, units and started_at; returns its id.
  virtual Result<std::int64_t> create_run(const RunRecord& run) = 0;
  virtual Result<void> update_run(std::int64_t id, RunState state, const std::string& note,
                                  const std::string& finished_at) = 0;
  // Keeps what the run found, for those who look at it later; the journal can give it again.
  virtual Result<void> save_results(std::int64_t id, const Json& results) = 0;
  virtual Result<RunRecord> load_run(std::int64_t id) = 0;
  // Newest first.
  virtual Result<std::vector<RunRecord>> load_runs(std::int64_t limit) = 0;
  virtual Result<Spending> load_spending(std::int64_t run) = 0;

  // Stores a unit's outcome with the next commit, replacing an earlier one of the same index.
  virtual void record_unit(std::int64_t run, UnitRecord unit) = 0;
  // In the order of their index; only those with the outcome, if one is given.
  virtual Result<std::vector<UnitRecord>> load_units(std::int64_t run,
                                                     std::optional<core::Outcome> outcome,
                                                     std::int64_t limit) = 0;

  // The newest calls stored for the item and role (any item if `item` is empty), newest first.
  virtual Result<std::vector<StoredCall>> load_calls(const std::string& item,
                                                     const std::string& role,
                                                     std::int64_t limit) = 0;

  // Returns when everything appended and recorded so far is committed, and so seen by the methods
  // that read, with the first write error since the last flush, if there was one. Destroying the
  // store flushes it as well.
  virtual Result<void> flush() = 0;

  // Held while a run is being carried out; released with the last copy or the process. Fails as
  // Invalid if it is held, be it in this process.
  virtual Result<std::shared_ptr<void>> lock_run(std::int64_t id) = 0;
};

}  // namespace personascope::store
