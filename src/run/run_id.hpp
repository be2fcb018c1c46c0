// How a run begins: a name that no other run in any store has, and its record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "run/model_set.hpp"
#include "store/store.hpp"

namespace personascope::run {

// 32 hexadecimal digits from the system's source of randomness.
std::string make_run_uid();

// Stores a run that begins now, with the program's version in its plan and, if they are given, what
// is to be known of its models inside the program.
Result<store::RunRecord> create_run(store::Store& store, std::string command, Json plan,
                                    std::int64_t items, std::string_view version,
                                    const ModelSet* models = nullptr);

}  // namespace personascope::run
