// The lock that keeps a run from being carried out twice at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"

namespace personascope::store {

// Locks `<store>.run-<id>.lock` until the last copy is destroyed or the process ends for any
// reason; the file is removed with the lock. Fails as Invalid if the lock is held, in this process
// or another.
Result<std::shared_ptr<void>> acquire_run_lock(const std::string& store_path, std::int64_t run);

}  // namespace personascope::store
