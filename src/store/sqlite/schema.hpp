// The tables of a store and their versions.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

// Brings a new or older database to the present version, and sets how it is written. Of an older
// one a copy is kept beside it: PATH.v4 for version 4. Fails on a file of another application and
// of a newer version.
Result<void> migrate(Connection& connection, const std::string& path);

// Fails if the database is not a store of the present version, without changing it.
Result<void> check_version(Connection& connection, const std::string& path);

// Makes the tables of an earlier version in an empty database: for tests of the way to this one.
Result<void> create_version(Connection& connection, std::int64_t version);

}  // namespace personascope::store
