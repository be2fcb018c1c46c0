// A run of an SQLite store as a stream of records.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/run_source.hpp"

namespace personascope::store {

// Has a connection of its own and sees the store as it was when it was opened. Fails as NotFound if
// there is no such run.
Result<std::unique_ptr<RunSource>> open_sqlite_run(const std::string& file, std::int64_t run);

}  // namespace personascope::store
