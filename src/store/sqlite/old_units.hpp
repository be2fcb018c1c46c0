// Version 0.1 kept a run's items as units: an outcome and a text. This turns them into items.
#pragma once

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace personascope::store {

// Fills the tables of version 5 from `unit`, which is dropped, and the columns of `run` that lists
// show from its plan. Within the caller's transaction.
Result<void> turn_units_into_items(Connection& connection);

}  // namespace personascope::store
