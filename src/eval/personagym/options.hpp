// The options of the gym: what a user can say about a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/option_table.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"

namespace personascope::eval::personagym {

enum class Protocol {
  Strict,     // one item a verdict, outcomes counted: ours
  Reference,  // the calls and the arithmetic of the published program
};
// "strict", "reference".
std::string_view name_of(Protocol protocol);

// Whether the pack's probes are asked.
enum class Probes {
  Auto,  // with all tasks and at least ten ready-made questions each, under the strict protocol
  All,
  None,
};

// Whether answers to a task are judged once more by the rubric beside it, which scores how well the
// persona is played under provocation.
enum class Fidelity {
  Auto,  // under the strict protocol
  None,
};

// Which personas and questions of the pack.
enum class Split {
  Public,   // those in its files
  Private,  // made from the seed in `seed_file`, see private_split.hpp
};

// Paths are as the user gave them; a text that is empty was not given.
struct GymOptions {
  std::vector<std::string> persona_texts;
  std::optional<std::string> persona_list;  // '["…"]'
  std::optional<std::string> personas_file;
  std::optional<std::string> benchmark;      // a pack's name
  std::optional<std::int64_t> data_version;  // of our own pack
  Split split = Split::Public;
  std::string seed_file;                // of the private split
  std::optional<std::int64_t> limit;    // of personas
  std::vector<std::string> tasks;       // ids; empty: all
  std::vector<std::string> task_files;  // further tasks of the user's own
  std::int64_t questions_per_task = 10;
  std::uint64_t seed = 0;
  Probes probes = Probes::Auto;  // a plan has All or None
  Fidelity fidelity = Fidelity::Auto;

  std::string question_model;  // writes the questions that are not ready-made
  bool fresh_questions = false;

  std::string model;               // under test
  std::string deployment;          // of the model under test; a part of its answers' keys
  bool fresh_answers = false;      // ask the model under test again, and nobody else
  bool no_persona_system = false;  // the model has a system prompt of its own
  std::int64_t epochs = 1;
  double temperature = 0.9;  // of the answers, like the next two
  double top_p = 0.9;
  std::int64_t max_tokens = 3000;

  std::vector<std::string> judges;
  std::string example_model;  // writes an example answer for each score; "none"
  bool as_published = false;  // with the published program's examples defect
  judge::JudgeOptions judging;
  judge::PanelRule rule = judge::PanelRule::Mean;
  std::int64_t canaries = 2;   // items that are also judged with canary answers
  std::string reader;          // reads likelihoods; "none"
  std::int64_t readings = 40;  // answers whose likelihood is read
  std::int64_t controls = 10;  // of these, questions that are also answered without a persona

  // Folders; read if every persona has its file there, else written to.
  std::optional<std::string> questions;
  std::optional<std::string> responses;
  std::optional<std::string> scores;  // a file
  // The published program's flags: names below questions/, results/ and scores/.
  std::optional<std::string> saved_questions;
  std::optional<std::string> saved_responses;
  std::optional<std::string> model_name;
  std::optional<std::string> save_name;

  Protocol protocol = Protocol::Strict;
};

// The stages are "run", "questions", "answer" and "grade".
const core::OptionTable<GymOptions>& gym_options();

}  // namespace personascope::eval::personagym
