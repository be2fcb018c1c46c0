// What a run of the bench found, for people.
#pragma once

#include <string>

#include "base/json.hpp"

namespace personascope::cli {

// Empty if the results are not the bench's.
std::string render_bench_results(const Json& results);

}  // namespace personascope::cli
