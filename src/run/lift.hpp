// `lift`: stored answers of any model read by the likelihood judge: does the persona show in them?
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "judge/distractors.hpp"
#include "run/estimate.hpp"
#include "run/explain.hpp"
#include "run/lift_input.hpp"
#include "run/model_set.hpp"
#include "run/options.hpp"
#include "run/run.hpp"

namespace personascope::run {

struct LiftPlan {
  LiftFiles files;
  std::string output;                   // kStandardOutput, an absolute path, or empty: no readings
  std::string model;                    // "provider/model", the reader
  std::optional<std::string> base_url;  // kept without user and password
  judge::DistractorOptions distractors;
  bool content_free = false;  // read a content-free answer to every question too
  EngineOptions engine;
};

Json to_json(const LiftPlan& plan);
// Fails as Invalid if it is not a plan of `lift`.
Result<LiftPlan> parse_lift_plan(const Json& value);

// Whether the plan can be carried out here, and the models to do so. Sends and writes nothing.
Result<std::unique_ptr<ModelSet>> check_lift_plan(const RunEnvironment& environment,
                                                  const LiftPlan& plan, const LiftInput& input);

Result<Estimate> estimate_lift(const RunEnvironment& environment, const LiftPlan& plan,
                               const LiftInput& input);

// What a replay of the run would miss (only for `item`, if given), and how it differs from what is
// stored. Sends and writes nothing.
Result<std::vector<MissExplanation>> explain_lift_misses(const RunEnvironment& environment,
                                                         const store::RunRecord& run,
                                                         const LiftPlan& plan,
                                                         const LiftInput& input,
                                                         const std::optional<std::string>& item);

// Stores a new run of the plan; `version` is the program's, `models` those of the check.
Result<store::RunRecord> create_lift_run(store::Store& store, const LiftPlan& plan,
                                         const LiftInput& input, std::string_view version,
                                         const ModelSet* models);

// Carries out the stored run, from where it stands. The output file appears only when every answer
// was read or has failed; the summary's results are those of judge::summarize_readings.
// What the environment refers to must outlive the run.
Run start_lift_run(const RunEnvironment& environment, store::RunRecord run, LiftPlan plan,
                   LiftInput input, std::unique_ptr<ModelSet> models);

}  // namespace personascope::run
