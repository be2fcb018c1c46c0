// Moving runs between stores.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.hpp"
#include "store/run_source.hpp"

namespace personascope::store {

struct ImportedRun {
  std::int64_t id = 0;
  bool was_there = false;  // a run with this uid was stored before: nothing was written
  // Calls that have another answer here. Their items keep the texts they were made from.
  std::int64_t differing_answers = 0;
};

// Used by one thread at a time; others may use the store meanwhile. Fails as Storage.
class RunTransfer {
 public:
  virtual ~RunTransfer() = default;

  // All that is stored of the run, as it is now. The source must not outlive the transfer. Fails as
  // NotFound.
  virtual Result<std::unique_ptr<RunSource>> open_run(std::int64_t run) = 0;

  // Stores a run from elsewhere with its items, calls, attempts and tags, all or nothing: also
  // where the process is killed or the source fails, whose error is returned. It gets an id of this
  // store. Answers that are stored here already are kept. Nobody else can write until it is done.
  virtual Result<ImportedRun> import_run(RunSource& source) = 0;
};

}  // namespace personascope::store
