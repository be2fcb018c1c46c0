// The store in one SQLite file: for one machine, without a server.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/store.hpp"

namespace personascope::store {

enum class OpenMode {
  Create,     // for writing; made if it is missing
  ReadWrite,  // for writing; must exist
  ReadOnly,   // must exist; every method that writes fails as Invalid
};

struct SqliteOptions {
  // A write that needs more pages of 8 kB fails as on a full disk; 0 = no limit.
  std::int64_t max_pages = 0;
};

// Several processes may have one file open and write to it. What is committed survives a kill -9,
// but the last commits may not survive a power cut.
//
// Fails as Invalid if the path cannot be that of a store (a folder, a device), as NotFound if the
// file must exist and does not, and as Storage if it is not a store, is damaged, belongs to another
// program or a newer version, or may not be read or written as the mode asks.
Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, OpenMode mode,
                                                 const SqliteOptions& options = {});

}  // namespace personascope::store
