// The gym, as people ask for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.hpp"
#include "app/evaluation.hpp"
#include "eval/personagym/plan.hpp"
#include "run/estimate.hpp"
#include "run/options.hpp"
#include "run/session.hpp"

namespace personascope::app {

using eval::personagym::Protocol;
using eval::personagym::Stage;

struct GymCommand {
  Stage until = Stage::Grades;
  bool grade_only = false;  // the answers are in `responses`

  std::vector<std::string> personas;        // texts
  std::optional<std::string> persona_list;  // '["…"]'
  std::optional<std::string> personas_file;
  std::optional<std::string> benchmark;  // a pack's name
  std::optional<std::int64_t> limit;     // so many personas at most
  std::vector<std::string> tasks;
  std::vector<std::string> task_files;

  std::string model;
  std::optional<std::string> base_url;  // of the model under test
  std::vector<std::string> judges;
  std::optional<std::string> question_model;
  std::optional<std::string> example_model;  // "none": no examples
  std::optional<std::string> reader;         // "none": no likelihoods

  Protocol protocol = Protocol::Strict;
  bool as_published = false;
  bool fresh_questions = false;

  // Folders; taken from if every persona has its file there, else written to.
  std::optional<std::string> questions;
  std::optional<std::string> responses;
  // The published program's flags: names below questions/, results/ and scores/.
  std::optional<std::string> saved_questions;
  std::optional<std::string> saved_responses;
  std::optional<std::string> model_name;
  std::optional<std::string> save_name;
  std::optional<std::string> scores;  // a file
  std::optional<std::string> output;  // lines of items

  // What is not given has the plan's default.
  std::optional<std::int64_t> questions_per_task;
  std::optional<std::int64_t> epochs;
  std::optional<std::uint64_t> seed;
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<std::int64_t> max_tokens;
  std::optional<std::int64_t> canaries;
  std::optional<std::int64_t> readings;
  std::optional<std::int64_t> controls;
  judge::JudgeOptions judging;
  judge::PanelRule rule = judge::PanelRule::Mean;

  run::EngineOptions engine;
};

// Checks everything that can be checked before anything is spent, then runs.
Result<run::RunSummary> start_gym(Context& context, const GymCommand& command,
                                  const Listener& listener);

// What it would take, by model and role. Sends nothing and stores nothing.
Result<std::vector<run::Estimate>> estimate_gym(Context& context, const GymCommand& command);

// The evaluation of a stored plan. Fails as Invalid if it is none of it.
Result<EvaluationSetup> load_gym(const Json& stored);

// The name as "provider/model": bare names are routed as the published program routes them ("gpt"
// to openai, "claude" to anthropic, "llama" to together).
std::string route_model_name(const std::string& name);

}  // namespace personascope::app
