// What a run of the gym was told: all that `resume` needs to do the same again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personagym/pack.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"

namespace personascope::eval::personagym {

enum class Protocol {
  Strict,     // one item a verdict, outcomes counted: ours
  Reference,  // the calls and the arithmetic of the published program
};
// "strict", "reference".
std::string_view name_of(Protocol protocol);

// How far the run goes.
enum class Stage { Questions, Answers, Grades };
// "questions", "answers", "grades".
std::string_view name_of(Stage stage);

enum class ReadyMade { Use, Ignore };

struct GymPlan {
  std::string pack;  // its folder
  std::string ours;  // the folder of our own pack
  std::string pack_sha256;
  std::string inputs_sha256;            // of the user's own files, see inputs.hpp
  std::vector<std::string> task_files;  // further tasks, of the user's own
  std::vector<std::string> tasks;       // their ids, if not all
  std::vector<Persona> personas;

  std::string model;                // under test
  std::vector<std::string> judges;  // empty only if nothing is graded
  std::string question_model;       // writes what is not ready-made
  std::string example_model;        // writes example answers for each score; empty: none are used
  std::string reader;               // reads likelihoods; empty: none
  std::vector<std::string> distractors;  // texts of personas to tell the true one from, beyond the
                                         // run's own

  Protocol protocol = Protocol::Strict;
  bool as_published = false;  // with the published program's examples defect
  Stage until = Stage::Grades;
  ReadyMade ready_made = ReadyMade::Use;
  std::int64_t questions_per_task = 10;
  std::int64_t epochs = 1;
  std::uint64_t seed = 0;

  // Of the answers.
  double temperature = 0.9;
  double top_p = 0.9;
  std::int64_t max_tokens = 3000;

  judge::JudgeOptions judging;
  judge::PanelRule rule = judge::PanelRule::Mean;
  std::int64_t canaries = 2;   // items that are also judged with canary answers
  std::int64_t readings = 40;  // answers whose likelihood is read
  std::int64_t controls = 10;  // of these, questions that are also answered without a persona

  // Folders in the published program's form; empty: none.
  std::string questions_from;
  std::string questions_to;
  std::string responses_from;
  std::string responses_to;
  std::string scores_to;  // the file scores.json
};

Json to_json(const GymPlan& plan);
// Fails as Invalid if it is not a plan of the gym.
Result<GymPlan> parse_gym_plan(const Json& value);

}  // namespace personascope::eval::personagym
