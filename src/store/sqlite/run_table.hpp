// The tables `run` and `tag`: one row for every run, and its tags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/reader.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

// Each as the method of Store or Reader of its name.
Result<std::int64_t> insert_run(Connection& connection, const RunRecord& run);
Result<void> update_run(Connection& connection, std::int64_t id, RunState state,
                        const std::string& note, const std::string& finished_at);
Result<void> save_results(Connection& connection, std::int64_t id, const Json& results,
                          const std::optional<core::Metric>& headline);
// The run with this uid, if it is stored.
Result<std::optional<std::int64_t>> find_run(Connection& connection, const std::string& uid);
// Fails as NotFound if there is no such run.
Result<void> check_run(Connection& connection, std::int64_t id);
Result<void> beat(Connection& connection, std::int64_t id);
Result<void> change_tags(Connection& connection, std::int64_t id,
                         const std::vector<std::string>& add,
                         const std::vector<std::string>& remove);
Result<RunRecord> load_run(Connection& connection, std::int64_t id);
Result<std::vector<RunEntry>> load_runs(Connection& connection, const RunFilter& filter);
Result<Removal> load_removal(Connection& connection, std::int64_t id);
Result<Removal> delete_run(Connection& connection, std::int64_t id);

}  // namespace personascope::store
