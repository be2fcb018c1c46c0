// Judges: score a file of answers, say what it would take, and take a run of judges up again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "run/file_options.hpp"
#include "run/judging.hpp"

namespace personascope::app {

// Checks everything that can be checked before anything is spent, then starts the run.
Result<run::Run> start_judging(Context& context, const run::JudgeFileOptions& options,
                               const run::EngineOptions& engine, const Listener& listener);

// What it would take, judge by judge. Sends nothing and stores nothing.
Result<std::vector<run::Estimate>> estimate_judging(Context& context,
                                                    const run::JudgeFileOptions& options,
                                                    const run::EngineOptions& engine);

// Goes on with the stored run; `over` replaces what the plan says. Its input and its rubric must
// still be what they were.
Result<run::Run> resume_judging(const run::RunEnvironment& environment, const store::RunRecord& run,
                                const run::EngineOptions& over,
                                const std::optional<std::string>& base_url);

// A new run of the same plan in which every judge is asked again. Fails as Invalid if the old one
// wrote a file and `output` names no other.
Result<run::Run> rescore_judging(const run::RunEnvironment& environment,
                                 const store::RunRecord& run,
                                 const std::optional<std::string>& output,
                                 const run::EngineOptions& over,
                                 const std::optional<std::string>& base_url);

Result<std::vector<run::MissExplanation>> explain_judging(const run::RunEnvironment& environment,
                                                          const store::RunRecord& run,
                                                          const std::optional<std::string>& item);

}  // namespace personascope::app
