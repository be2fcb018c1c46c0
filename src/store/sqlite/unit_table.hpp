// The table `unit`: how each unit of a run ended.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "core/reply.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/text_codec.hpp"
#include "store/store.hpp"

namespace personascope::store {

// Replaces the unit of the same index, and keeps the run's counts of outcomes true.
Result<void> upsert_unit(Connection& connection, TextCodec& codec, std::int64_t run,
                         const UnitRecord& unit);

// As Store::load_units.
Result<std::vector<UnitRecord>> load_units(Connection& connection, TextCodec& codec,
                                           std::int64_t run, std::optional<core::Outcome> outcome,
                                           std::int64_t limit);

}  // namespace personascope::store
