// The reader of a store in an SQLite file.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/reader.hpp"

namespace personascope::store {

// Opens a store for reading, also on a medium that cannot be written. Fails as NotFound if there is
// no file, as Storage if it is no store, is damaged, or was written by another version.
Result<std::unique_ptr<Reader>> open_sqlite_reader(const std::string& path);

}  // namespace personascope::store
