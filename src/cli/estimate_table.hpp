// An estimate for people.
#pragma once

#include "app/run_types.hpp"

namespace personascope::cli {

void print_estimate(const app::Estimate& estimate);

}  // namespace personascope::cli
