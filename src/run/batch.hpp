// `batch`: a file of requests answered by one model, in the order of the file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "run/batch_line.hpp"
#include "run/model_set.hpp"
#include "run/options.hpp"
#include "run/output.hpp"
#include "run/run.hpp"

namespace personascope::run {

struct BatchPlan {
  InputFile input;
  std::string output;                   // kStandardOutput, or an absolute path
  std::string model;                    // "provider/model"
  std::optional<std::string> base_url;  // kept in the plan without user and password
  EngineOptions engine;
  std::optional<std::int64_t> rescores;  // the run whose answers are re-used, judges asked again
};

Json to_json(const BatchPlan& plan);
// Fails as Invalid if it is not a batch's plan.
Result<BatchPlan> parse_batch_plan(const Json& value);

// Whether the plan can be carried out here: the model, its key and price, and the output file.
// Sends and writes nothing. Gives the model, for start_batch_run.
Result<std::unique_ptr<ModelSet>> check_batch_plan(const RunEnvironment& environment,
                                                   const BatchPlan& plan);

// Stores a new run of the plan; `version` is the program's, `models` those of the check.
Result<store::RunRecord> create_batch_run(store::Store& store, const BatchPlan& plan,
                                          std::string_view version,
                                          const ModelSet* models = nullptr);

// Carries out the stored run, from where it stands; its input must still be what it was. The output
// file appears only when every line has its answer. What the environment refers to must outlive the
// run.
Run start_batch_run(const RunEnvironment& environment, store::RunRecord run, BatchPlan plan,
                    std::unique_ptr<ModelSet> models = nullptr);

}  // namespace personascope::run
