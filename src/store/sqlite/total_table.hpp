// The table `total`: what each run has spent and reached, kept up with every write.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "store/journal.hpp"
#include "store/run_record.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

// What one request cost, to be added to its run. A call whose answer another process stored first
// counts as well: it was paid.
Spending spending_of(const CallRecord& record);
Spending spending_of(const AttemptRecord& record);

Result<void> add_spending(Connection& connection, std::int64_t run, const Spending& spending);
Result<void> add_outcomes(Connection& connection, std::int64_t run,
                          const core::OutcomeCounts& counts);

// Zeros for a run that has none.
Result<Spending> load_spending(Connection& connection, std::int64_t run);

}  // namespace personascope::store
