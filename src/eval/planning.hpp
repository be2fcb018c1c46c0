// What plan-making needs to know of the place where it runs: settings, the program's data, imported
// packs, and which models can be used. Reads only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option_table.hpp"
#include "eval/evaluation.hpp"
#include "files/environment.hpp"

namespace personascope::eval {

struct PlanContext {
  const files::Environment& environment;
  std::string home;  // the folder with packs/
};

// The folder or file `name` ("gym") of the program's data: in $PERSONASCOPE_DATA, or where the
// program is installed. Fails as NotFound, saying what to set.
Result<std::string> find_data(const PlanContext& context, const std::string& name);

// An imported pack's folder. Fails as NotFound, with the names of those that are there.
Result<std::string> find_pack(const PlanContext& context, const std::string& name);

// The model to ask: `given`, or the embedded one if none is given and no hosted provider has a key.
// Fails as Invalid if it cannot be guessed.
Result<std::string> choose_model(const PlanContext& context, const std::string& given);

// The model that reads how likely answers are: `given`, or none if that is "none"; if nothing is
// given, the model under test where it is embedded and its weights are there. Empty: none, as for a
// hosted model, which this machine would slow down. Fails as Invalid if the given one cannot read.
Result<std::string> choose_reader(const PlanContext& context, const std::string& given,
                                  const std::string& model);

// Options of every evaluation that are kept outside its own plan.
struct RunOptions {
  std::optional<std::string> output;    // lines of items
  std::optional<std::string> base_url;  // of the model under test; may hold a password
};
const core::OptionTable<RunOptions>& run_options();

using MakeEvaluation =
    std::function<Result<std::unique_ptr<Evaluation>>(const FindModel& find_model)>;

// An evaluation that can be carried out.
struct PreparedEvaluation {
  std::string command{};                 // "gym"
  Json plan{};                           // as it is stored
  std::vector<std::string> addressed{};  // the models whose address `base_url` is
  bool has_judge = false;
  std::string why_no_judge{};  // where it has none: what to say if it is to be scored again
  MakeEvaluation make{};
  RunOptions options{};                             // of a new run
  std::function<Result<void>()> prepare_outputs{};  // called once, when a new run starts; may be
                                                    // empty
};

// `make` for an evaluation that its class creates from the plan.
template <class Made, class Plan>
MakeEvaluation make_with(const Plan& plan) {
  return [plan](const FindModel& find_model) -> Result<std::unique_ptr<Evaluation>> {
    ASSIGN_OR_RETURN(auto made, Made::create(plan, find_model));
    return std::unique_ptr<Evaluation>(std::move(made));
  };
}

}  // namespace personascope::eval
