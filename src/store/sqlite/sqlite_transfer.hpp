// Moving runs into and out of a store in an SQLite file.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/run_transfer.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace personascope::store {

// Fails as open_sqlite_store() does. With OpenMode::ReadOnly nothing can be imported.
Result<std::unique_ptr<RunTransfer>> open_sqlite_transfer(const std::string& path, OpenMode mode);

}  // namespace personascope::store
