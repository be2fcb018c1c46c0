// Batches: start, estimate, resume and rescore them, and explain what a replay missed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "run/batch.hpp"
#include "run/estimate.hpp"
#include "run/explain.hpp"
#include "run/file_options.hpp"

namespace personascope::app {

// Checks everything that can be checked before anything is spent, then starts the run.
Result<run::Run> start_batch(Context& context, const run::BatchOptions& options,
                             const run::EngineOptions& engine, const Listener& listener);

// What the batch would take. Sends nothing and stores nothing.
Result<run::Estimate> estimate_batch(Context& context, const run::BatchOptions& options,
                                     const run::EngineOptions& engine);

// Goes on with a stored run; `over` replaces what the plan says.
Result<run::Run> resume_run(Context& context, std::int64_t run, const run::EngineOptions& over,
                            const std::optional<std::string>& base_url, const Listener& listener);

// A new run with the answers of an old one, in which only the judges are asked again.
Result<run::Run> rescore_run(Context& context, std::int64_t run,
                             const std::optional<std::string>& output,
                             const run::EngineOptions& over,
                             const std::optional<std::string>& base_url, const Listener& listener);

// What a replay of the run would miss (only for `item`, if given), and how it differs from what is
// stored. Writes nothing.
Result<std::vector<run::MissExplanation>> explain_misses(Context& context, std::int64_t run,
                                                         const std::optional<std::string>& item);

}  // namespace personascope::app
