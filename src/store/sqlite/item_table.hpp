// The tables `item`, `document` and `item_call`: the items of runs, what there is to see of each,
// and which calls it was made from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/item.hpp"
#include "store/reader.hpp"
#include "store/run_source.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/text_codec.hpp"

namespace personascope::store {

// Replaces the item at the same position, and keeps the run's counts of outcomes true.
Result<void> upsert_item(Connection& connection, TextCodec& codec, std::int64_t run,
                         const core::ItemRecord& item, const std::vector<core::CallLink>& calls);

// Each as the Reader method of its name.
Result<std::vector<core::ItemRecord>> load_items(Connection& connection, TextCodec& codec,
                                                 std::int64_t run, const ItemFilter& filter);
Result<std::int64_t> count_items(Connection& connection, TextCodec& codec, std::int64_t run,
                                 const ItemFilter& filter);
Result<std::int64_t> find_position(Connection& connection, std::int64_t run, const std::string& id);
Result<ItemDetails> load_item(Connection& connection, TextCodec& codec, std::int64_t run,
                              std::int64_t position);

// The item with the references of its document as they are stored, and its links.
Result<SourceItem> load_source_item(Connection& connection, TextCodec& codec, std::int64_t run,
                                    std::int64_t position);

}  // namespace personascope::store
