// Estimates for people.
#pragma once

#include <functional>
#include <vector>

#include "app/run_types.hpp"
#include "cli/command.hpp"

namespace personascope::cli {

void print_estimate(const app::Estimate& estimate);

// Shows what an evaluation would take, by model and role; returns the exit code.
int show_estimates(
    const CommonFlags& flags,
    const std::function<Result<std::vector<app::Estimate>>(app::Context&)>& estimate);

}  // namespace personascope::cli
