// Records to store in tests: every field filled, told apart by a name.
#pragma once

#include <cstdint>
#include <string>

#include "store/store.hpp"

namespace personascope::store {

// The key is the hash of the name.
CallRecord sample_call(const std::string& name, std::int64_t run = 1);
AttemptRecord sample_attempt(const std::string& name, std::int64_t run = 1);
RunRecord sample_run(const std::string& uid);

// Ten positions a cluster, labels "even" and "odd".
core::ItemRecord sample_item(std::int64_t position, core::Outcome outcome = core::Outcome::Scored);

}  // namespace personascope::store
