// The table `call`: answered calls, written once and found by key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "core/reply.hpp"
#include "store/journal.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/text_codec.hpp"
#include "store/store.hpp"

namespace personascope::store {

// Leaves an answer that is there already.
Result<Kept> insert_call(Connection& connection, TextCodec& codec, const CallRecord& record);

Result<std::optional<Result<core::Reply>>> find_answer(Connection& connection, TextCodec& codec,
                                                       const Digest& key);

// As Store::load_calls.
Result<std::vector<StoredCall>> load_calls(Connection& connection, TextCodec& codec,
                                           const std::string& item, const std::string& role,
                                           std::int64_t limit);

}  // namespace personascope::store
