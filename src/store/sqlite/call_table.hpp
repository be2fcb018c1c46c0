// The table `call`: answered calls, written once and found by key.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "core/reply.hpp"
#include "store/journal.hpp"
#include "store/reader.hpp"
#include "store/run_source.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/text_codec.hpp"

namespace personascope::store {

// Leaves an answer that is there already.
Result<Kept> insert_call(Connection& connection, TextCodec& codec, const CallRecord& record);

struct FoundAnswer {
  Result<core::Reply> answer;
  bool is_damaged = false;  // its checksum or its packing is wrong: there is no answer
};

Result<std::optional<FoundAnswer>> find_answer(Connection& connection, TextCodec& codec,
                                               const Digest& key);

// A call to be written elsewhere, by its row or its key. Fails as Storage if it is damaged.
Result<SourceCall> load_call(Connection& connection, TextCodec& codec, std::int64_t id,
                             std::int64_t run);
Result<std::optional<SourceCall>> find_call(Connection& connection, TextCodec& codec,
                                            const Digest& key, std::int64_t run);

// Removes a damaged answer, so that the call can be answered again.
Result<void> forget_answer(Connection& connection, const Digest& key);

// What is wrong with stored answers.
struct CallCheck {
  std::int64_t calls = 0;
  std::int64_t without_checksum = 0;       // of version 0.1
  std::vector<std::string> damaged_items;  // what the damaged ones were asked for
};
// Looks at every answer. `on_row` is told how many were looked at, now and then.
Result<CallCheck> check_calls(Connection& connection, TextCodec& codec,
                              const std::function<void(std::int64_t)>& on_row);

// The calls that the row `item` of the table `item` was made from, in their order.
Result<std::vector<ItemCall>> load_item_calls(Connection& connection, TextCodec& codec,
                                              std::int64_t run, std::int64_t item);

// As Reader::load_calls.
Result<std::vector<StoredCall>> load_calls(Connection& connection, TextCodec& codec,
                                           const std::string& item, const std::string& role,
                                           std::int64_t limit);

}  // namespace personascope::store
