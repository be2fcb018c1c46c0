// Judges: score a file of answers, say what it would take, and take a run of judges up again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "run/judging.hpp"
#include "run/output.hpp"

namespace personascope::app {

using judge::find_panel_rule;
using judge::find_reply_form;
using judge::JudgeOptions;
using judge::Orders;
using judge::PanelRule;

struct JudgeCommand {
  std::string input;
  std::string output{run::kStandardOutput};
  std::string rubric;
  std::vector<std::string> judges;
  std::optional<std::string> escalate;
  std::optional<std::string> base_url;
  judge::JudgeOptions options;
  judge::PanelRule rule = judge::PanelRule::Mean;
  std::int64_t canaries = 2;
  std::optional<std::string> cluster;
  run::EngineOptions engine;
};

// Checks everything that can be checked before anything is spent, then runs.
Result<run::RunSummary> start_judging(Context& context, const JudgeCommand& command,
                                      const Listener& listener);

// What it would take, judge by judge. Sends nothing and stores nothing.
Result<std::vector<run::Estimate>> estimate_judging(Context& context, const JudgeCommand& command);

// Goes on with the stored run; `over` replaces what the plan says. Its input and its rubric must
// still be what they were.
Result<run::RunSummary> resume_judging(const run::Surroundings& surroundings,
                                       const store::RunRecord& run, const run::EngineOptions& over,
                                       const std::optional<std::string>& base_url);

// A new run of the same plan in which every judge is asked again. Fails as Invalid if the old one
// wrote a file and `output` names no other.
Result<run::RunSummary> rescore_judging(const run::Surroundings& surroundings,
                                        const store::RunRecord& run,
                                        const std::optional<std::string>& output,
                                        const run::EngineOptions& over,
                                        const std::optional<std::string>& base_url);

Result<std::vector<run::MissExplanation>> explain_judging(const run::Surroundings& surroundings,
                                                          const store::RunRecord& run,
                                                          const std::optional<std::string>& item);

}  // namespace personascope::app
