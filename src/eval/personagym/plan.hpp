// What a run of the gym was told: all that `resume` needs to do the same again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personagym/options.hpp"
#include "eval/personagym/pack.hpp"

namespace personascope::eval::personagym {

// How far the run goes.
enum class Stage { Questions, Answers, Grades };
// "questions", "answers", "grades".
std::string_view name_of(Stage stage);

enum class ReadyMade { Use, Ignore };

// The options as resolved (models by their whole names, `example_model` and `reader` empty if there
// is none, `judges` empty only if nothing is graded), and what was derived from them.
struct GymPlan : GymOptions {
  Stage until = Stage::Grades;
  ReadyMade ready_made = ReadyMade::Use;

  bool judges_beside = false;  // also by the rubrics beside the tasks

  std::string pack;  // its folder
  std::string ours;  // the folder of our own pack
  std::string pack_sha256;
  std::string inputs_sha256;  // of the user's own files, see inputs.hpp
  std::vector<Persona> personas;
  std::vector<std::string> distractors;  // texts of personas to tell the true one from, beyond the
                                         // run's own

  // Folders in the published program's form; empty: none.
  std::string questions_from;
  std::string questions_to;
  std::string responses_from;
  std::string responses_to;
  std::string scores_to;  // the file scores.json
};

Json to_json(const GymPlan& plan);
// Fails as Invalid if it is not a plan of the gym, or not one that could be carried out.
Result<GymPlan> parse_gym_plan(const Json& value);

}  // namespace personascope::eval::personagym
