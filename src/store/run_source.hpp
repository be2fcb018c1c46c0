// All that a store has of one run, as a stream: what is moved from one store to another, directly
// or through a file.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/item.hpp"
#include "store/journal.hpp"
#include "store/run_record.hpp"

namespace personascope::store {

// The key of the call with these texts, as llm/call.cpp makes it.
Digest make_call_key(std::string_view endpoint, std::string_view request,
                     std::string_view replicate);

// A call that the run used.
struct SourceCall {
  CallRecord call;       // its `run` and `charge` say nothing here
  bool is_paid = false;  // by this run; else its answer came from the journal
};

struct SourceItem {
  core::ItemRecord item;  // the document refers to the texts of its calls (core::refer_to_calls)
  std::vector<core::CallLink> calls;
};

// Used by one thread at a time. Each of the three gives its records one after the other and
// nothing at the end; they are read in this order: calls, attempts, items. Fails as Storage or, if
// what is read is not what it should be, as Invalid.
class RunSource {
 public:
  virtual ~RunSource() = default;

  // With spending; outcomes are counted from the items.
  virtual const RunRecord& run() const = 0;
  // In the order in which they were stored. Every call that an item was made from, and those that
  // the run paid for.
  virtual Result<std::optional<SourceCall>> next_call() = 0;
  // Of this run, in their order.
  virtual Result<std::optional<AttemptRecord>> next_attempt() = 0;
  // By position.
  virtual Result<std::optional<SourceItem>> next_item() = 0;
};

}  // namespace personascope::store
