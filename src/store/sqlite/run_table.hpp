// The table `run`: one row for every run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"
#include "store/store.hpp"

namespace personascope::store {

// Each as the Store method of its name.
Result<std::int64_t> insert_run(Connection& connection, const RunRecord& run);
Result<void> update_run(Connection& connection, std::int64_t id, RunState state,
                        const std::string& note, const std::string& finished_at);
Result<void> save_results(Connection& connection, std::int64_t id, const Json& results);
Result<RunRecord> load_run(Connection& connection, std::int64_t id);
Result<std::vector<RunRecord>> load_runs(Connection& connection, std::int64_t limit);

}  // namespace personascope::store
