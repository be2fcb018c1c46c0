// `judge`: a file of answers scored by one judge or a panel, in the order of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"
#include "run/estimate.hpp"
#include "run/explain.hpp"
#include "run/input_file.hpp"
#include "run/model_set.hpp"
#include "run/options.hpp"
#include "run/run.hpp"

namespace personascope::run {

struct JudgePlan {
  InputFile input;
  std::string output;  // kStandardOutput, or an absolute path
  std::string rubric;  // its file
  std::string rubric_sha256;
  std::vector<std::string> judges;      // "provider/model" each
  std::optional<std::string> escalate;  // asked too where two judges differ by 2 or more
  std::optional<std::string> base_url;  // of all judges; kept without user and password
  judge::JudgeOptions options;
  judge::PanelRule rule = judge::PanelRule::Mean;
  std::int64_t canaries = 2;           // how many items are also asked about with canary answers
  std::optional<std::string> cluster;  // the field that groups lines
  EngineOptions engine;
};

Json to_json(const JudgePlan& plan);
// Fails as Invalid if it is not a judge's plan.
Result<JudgePlan> parse_judge_plan(const Json& value);

// Loads the rubric and checks every line against it; fills in input, rubric_sha256 and, where none
// is named, the cluster: "persona" if every line has one.
Result<judge::Rubric> fill_judge_plan(JudgePlan& plan, const std::string& input);

// Whether the plan can be carried out here. Sends and writes nothing. Gives the judges' models, for
// start_judge_run.
Result<std::unique_ptr<ModelSet>> check_judge_plan(const RunEnvironment& environment,
                                                   const JudgePlan& plan,
                                                   const judge::Rubric& rubric);

// One estimate a judge; what an escalation would add is not known before.
Result<std::vector<Estimate>> estimate_judging(const RunEnvironment& environment,
                                               const JudgePlan& plan, const judge::Rubric& rubric);

// What a replay of the run would miss (only for `item`, if given), and how it differs from what is
// stored. What an escalation asked is not looked at. Sends and writes nothing.
Result<std::vector<MissExplanation>> explain_judge_misses(const RunEnvironment& environment,
                                                          const store::RunRecord& run,
                                                          const JudgePlan& plan,
                                                          const judge::Rubric& rubric,
                                                          const std::optional<std::string>& item);

// Stores a new run of the plan; `version` is the program's, `models` those of the check.
Result<store::RunRecord> create_judge_run(store::Store& store, const JudgePlan& plan,
                                          std::string_view version,
                                          const ModelSet* models = nullptr);

// Carries out the stored run, from where it stands. The output file appears only when every line
// has its verdict; the summary's results are those of judge::Tally.
// What the environment refers to must outlive the run.
Run start_judge_run(const RunEnvironment& environment, store::RunRecord run, JudgePlan plan,
                    judge::Rubric rubric, std::unique_ptr<ModelSet> models = nullptr);

}  // namespace personascope::run
