// Leases in an SQLite file: the tables `piece` and `worker`.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/leases.hpp"

namespace personascope::store {

// Of a store that exists. Fails as open_sqlite_store() does.
Result<std::unique_ptr<Leases>> open_sqlite_leases(const std::string& path);

}  // namespace personascope::store
