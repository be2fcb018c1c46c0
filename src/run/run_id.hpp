// The name of a run that no other run in any store has.
#pragma once

#include <string>

namespace personascope::run {

// 32 hexadecimal digits from the system's source of randomness.
std::string make_run_uid();

}  // namespace personascope::run
