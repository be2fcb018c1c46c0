// How a run begins: a name that no other run in any store has, and its record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "store/store.hpp"

namespace personascope::run {

// 32 hexadecimal digits from the system's source of randomness.
std::string make_run_uid();

// Stores a run that begins now, with the program's version in its plan.
Result<store::RunRecord> create_run(store::Store& store, std::string command, Json plan,
                                    std::int64_t units, std::string_view version);

}  // namespace personascope::run
