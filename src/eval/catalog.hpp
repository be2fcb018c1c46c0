// Every evaluation, a row a command: what it is called, which options it has, how options become
// something that can be carried out, and how a stored plan does.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/findings.hpp"
#include "core/option.hpp"
#include "eval/planning.hpp"

namespace personascope::eval {

struct CatalogRow {
  std::string_view command;   // "gym": what runs are stored as
  std::string_view stage;     // "run"; empty where the command is one word
  std::string_view sentence;  // what it does
  // The options of the stage, without those of the engine.
  std::vector<core::OptionSpec> (*options)(std::string_view stage);
  // `given` is an object of these options. Checks all that can be checked before anything is sent;
  // writes nothing. Fails as Invalid or NotFound, naming the option.
  Result<PreparedEvaluation> (*prepare)(const PlanContext& context, std::string_view stage,
                                        const Json& given);
  // From a stored plan, which may be damaged. Fails as Invalid.
  Result<PreparedEvaluation> (*load)(const Json& plan);
  // What its stored results show; they may be of another version, or damaged.
  core::Findings (*describe)(const Json& results);
  // The member by which its results are known where they do not name their evaluation.
  std::string_view known_by{};
};

std::span<const CatalogRow> catalog();

}  // namespace personascope::eval
