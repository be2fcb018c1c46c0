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
  std::int64_t max_pages = 0;  // a write beyond so many pages fails as a full disk does; 0 = no limit
};

// Several processes may have one file open and write to it. Reads see what is committed; what was
// appended is committed a moment later, in the order of the calls.
//
// Fails as Invalid if the path cannot be that of a store (a folder, a device), as NotFound if the
// file must exist and does not, and as Storage if it is not a store, is damaged, belongs to another
// program or a newer version, or may not be read or written as the mode asks.
//
// append, record_unit and flush may be called from any thread, everything else from one thread.
// `committed` callbacks run on the store's own thread and may append, but call nothing that waits.
// Destroying the store commits all that was appended.
Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, OpenMode mode,
                                                 const SqliteOptions& options = {});

}  // namespace personascope::store
