// An estimate for people.
#pragma once

#include <vector>

#include "app/run_types.hpp"
#include "cli/command.hpp"

namespace personascope::cli {

void print_estimate(const app::Estimate& estimate);

// What an evaluation would take, by model and role; returns the exit code.
int print_estimates(const std::vector<app::Estimate>& estimates, const CommonFlags& flags);

}  // namespace personascope::cli
