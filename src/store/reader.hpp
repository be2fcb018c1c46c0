// Reading what is stored: runs, items with their documents, and the calls they were made from.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "core/item.hpp"
#include "core/reply.hpp"
#include "store/run_record.hpp"

namespace personascope::store {

// Which runs; members that are not set match all.
struct RunFilter {
  std::optional<std::string> tag{};
  std::optional<std::string> model{};       // a part of its name
  std::optional<std::string> evaluation{};  // the command
  std::int64_t limit = 20;
};

// By score: unscored items come after the others, and last those with the label "canary", whose
// answers only test the judge.
enum class ItemOrder { Position, WorstFirst, BestFirst };

// Which items of a run; members that are not set match all.
struct ItemFilter {
  std::optional<core::Outcome> outcome{};
  std::optional<std::string> label{};
  std::optional<std::string> cluster{};
  std::optional<std::string> search{};  // a text anywhere in the id or document, in any letter case
  ItemOrder order = ItemOrder::Position;
  std::int64_t offset = 0;
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
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

// A call that an item was made from.
struct ItemCall : StoredCall {
  Digest key{};
  std::int64_t place = 0;  // among the item's calls, from 0
  std::string purpose;     // what it was asked for, if not simply the item
  Result<core::Reply> answer;
  std::optional<double> cost_usd;
  bool is_paid_here = false;  // by the item's run; else the answer came from the journal
  std::int64_t attempts = 0;  // tries that gave no answer
};

struct ItemDetails {
  core::ItemRecord item;  // with its document whole
  std::vector<ItemCall> calls;
};

// What deleting a run would remove.
struct Removal {
  std::int64_t items = 0;
  std::int64_t calls = 0;       // answers that no other run uses
  std::int64_t kept_calls = 0;  // answers of the run that stay, since others use them
  std::int64_t bytes = 0;       // about
};

// May be used from any thread. Every method blocks until it is done; a failure is of kind Storage
// (unreadable, damaged, newer format) or NotFound.
class Reader {
 public:
  virtual ~Reader() = default;

  virtual Result<RunRecord> load_run(std::int64_t id) = 0;
  // Newest first.
  virtual Result<std::vector<RunEntry>> load_runs(const RunFilter& filter) = 0;
  // Zeros for a run that has spent nothing.
  virtual Result<Spending> load_spending(std::int64_t run) = 0;

  // A page of items, without their documents.
  virtual Result<std::vector<core::ItemRecord>> load_items(std::int64_t run,
                                                           const ItemFilter& filter) = 0;
  // How many items the filter finds, without its offset and limit.
  virtual Result<std::int64_t> count_items(std::int64_t run, const ItemFilter& filter) = 0;
  // The position of the item with this id. Fails as NotFound.
  virtual Result<std::int64_t> find_position(std::int64_t run, const std::string& id) = 0;
  // The item with its document and calls. Fails as NotFound.
  virtual Result<ItemDetails> load_item(std::int64_t run, std::int64_t position) = 0;

  // The newest calls stored for the item and role (any item if `item` is empty), newest first.
  virtual Result<std::vector<StoredCall>> load_calls(const std::string& item,
                                                     const std::string& role,
                                                     std::int64_t limit) = 0;

  virtual Result<Removal> load_removal(std::int64_t run) = 0;
};

}  // namespace personascope::store
