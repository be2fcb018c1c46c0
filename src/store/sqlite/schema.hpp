// The tables of a store and their versions.
#pragma once

#include <string>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

// Brings a new or older database to the present version, and sets how it is written. Fails on a
// file of another application and of a newer version; `path` is for the message.
Result<void> migrate(Connection& connection, const std::string& path);

// Fails if the database is not a store of the present version, without changing it.
Result<void> check_version(Connection& connection, const std::string& path);

}  // namespace personascope::store
