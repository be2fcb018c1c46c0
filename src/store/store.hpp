// The store: the journal, the record of every run, and the reader of both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/item.hpp"
#include "core/metric.hpp"
#include "store/journal.hpp"
#include "store/reader.hpp"
#include "store/run_record.hpp"

namespace personascope::store {

// Every method except append, record_item and beat blocks: when it returns, the work is done. A
// failure is of kind Storage (unreadable, full, read-only, newer format), NotFound or Invalid.
// Every method may be called from any thread, so that several runs share one store.
class Store : public Journal {
 public:
  // Sees what is committed. Lives as long as the store.
  virtual Reader& reader() = 0;

  // Stores a new run from the record's uid, command, model, judge, plan, items, tags and
  // started_at; returns its id.
  virtual Result<std::int64_t> create_run(const RunRecord& run) = 0;
  virtual Result<void> update_run(std::int64_t id, RunState state, const std::string& note,
                                  const std::string& finished_at) = 0;
  // Stores what the run found; it can be computed again from the journal.
  virtual Result<void> save_results(std::int64_t id, const Json& results,
                                    const std::optional<core::Metric>& headline) = 0;
  // Heartbeat: the run's process is alive; stored with the next commit.
  virtual void beat(std::int64_t id) = 0;
  // Adds and removes tags. Adding an existing tag or removing a missing one is not an error.
  virtual Result<void> change_tags(std::int64_t id, const std::vector<std::string>& add,
                                   const std::vector<std::string>& remove) = 0;
  // Removes the run, its items and the answers that no other run uses. Fails as Invalid if the run
  // is being carried out.
  virtual Result<Removal> delete_run(std::int64_t id) = 0;

  // Stores an item with the next commit, in place of an earlier one at the same position. Its
  // calls must have been appended before; those that were not are left out. The document's
  // references count in `calls` (see core::refer_to_calls).
  virtual void record_item(std::int64_t run, core::ItemRecord item,
                           std::vector<core::CallLink> calls) = 0;

  // Returns when everything appended and recorded so far is committed, and so seen by the reader,
  // with the first write error since the last flush, if there was one: where several runs share the
  // store, the first of them to flush gets it. Destroying the store flushes it as well.
  virtual Result<void> flush() = 0;

  // Held while a run is executed; released with the last copy or when the process ends. Fails as
  // Invalid if it is already held, also by this process.
  virtual Result<std::shared_ptr<void>> lock_run(std::int64_t id) = 0;
};

}  // namespace personascope::store
