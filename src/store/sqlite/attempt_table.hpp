// The table `attempt`: tries that gave no answer.
#pragma once

#include <optional>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "store/journal.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

Result<void> insert_attempt(Connection& connection, const AttemptRecord& record);

// The error of the newest attempt at the key.
Result<std::optional<Error>> find_last_attempt(Connection& connection, const Digest& key);

}  // namespace personascope::store
