// Changed copies of seeds, for the runs without a coverage-guided fuzzer.
#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"

namespace personascope::fuzz {

// One of the seeds after a few random edits; at most 64 kB. `seeds` is not empty.
std::string make_mutation(const std::vector<std::string>& seeds, Random& random);

}  // namespace personascope::fuzz
