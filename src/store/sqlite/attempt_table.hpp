// The table `attempt`: tries that gave no answer.
#pragma once

#include <cstdint>
#include <optional>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "store/journal.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

Result<void> insert_attempt(Connection& connection, const AttemptRecord& record);

// The error of the newest attempt at the key.
Result<std::optional<Error>> find_last_attempt(Connection& connection, const Digest& key);

// The attempts of a run in their order, and the one in the present row.
Result<Query> query_attempts(Connection& connection, std::int64_t run);
AttemptRecord read_attempt(const Query& row);

}  // namespace personascope::store
