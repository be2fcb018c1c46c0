// The likelihood judge: read a file of answers, say what it would take, and take such a run up
// again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "run/file_options.hpp"
#include "run/lift.hpp"

namespace personascope::app {

// Checks everything that can be checked before anything is spent, then starts the run.
Result<run::Run> start_lift(Context& context, const run::LiftOptions& options,
                            const run::EngineOptions& engine, const Listener& listener);

// What it would take. Sends nothing and stores nothing.
Result<run::Estimate> estimate_lift(Context& context, const run::LiftOptions& options,
                                    const run::EngineOptions& engine);

// Goes on with the stored run; `over` replaces what the plan says. Its files must still be what
// they were.
Result<run::Run> resume_lift(const run::RunEnvironment& environment, const store::RunRecord& run,
                             const run::EngineOptions& over,
                             const std::optional<std::string>& base_url);

Result<std::vector<run::MissExplanation>> explain_lift(const run::RunEnvironment& environment,
                                                       const store::RunRecord& run,
                                                       const std::optional<std::string>& item);

}  // namespace personascope::app
