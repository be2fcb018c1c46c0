// A pack: what the gym is run with. Personas, environments, ready-made questions, the five tasks
// with their rubrics, and the words of every prompt: a folder of data (data/gym is ours).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "judge/rubric.hpp"

namespace personascope::eval::personagym {

struct Persona {
  std::string id;  // unique within a run
  std::string text;
  std::string
      kind{};  // what it was written for: "plain", "era", ...; empty if the pack does not say
};

struct Environment {
  std::string id;
  std::string name;
  std::string detail;  // may be empty
};

struct GymTask {
  std::string id;     // "expected-action"
  std::string name;   // "Expected Action"
  std::string group;  // of decision theory: "normative", "prescriptive", "descriptive"
  std::vector<std::string> guidance;  // what a good question does
  judge::Rubric rubric;
  // Scores something else of the same answers, to be reported beside; not part of the PersonaScore.
  std::optional<judge::Rubric> beside;
};

// The words of the strict protocol, with {names} to be filled in.
struct GymPrompts {
  std::string persona_system;
  std::string neutral_system;
  std::string choose_environments;
  std::string write_questions;
  std::string write_examples;
};

// The words of the published program's shape, in Python's str.format syntax.
struct ReferencePrompts {
  std::string persona_system;       // {persona}
  std::string choose_environments;  // {persona} {settings_list}
  std::string write_questions;      // {persona} {settings} {num_questions} {task} {description}
  std::string examples_item;        // {persona} {question} {rubric}
  std::string examples;             // {rubrics}
  std::string grading;              // {rubrics}
  std::string grading_system;
  std::map<std::string, std::string, std::less<>> rubrics;       // by task id
  std::map<std::string, std::string, std::less<>> descriptions;  // by task id
};

using QuestionLists = std::map<std::string, std::vector<std::string>, std::less<>>;  // by task id

// A question that tests one weakness of models that play a persona. Its answers are judged by the
// pack's rubric of probes and reported by `probe`, not as part of its task.
struct Probe {
  std::string id;
  std::string persona;  // the pack's id
  std::string probe;    // "false-premise", "unknowable", "ai", "outside" or "pressure" in our pack
  std::string task;     // id
  std::string question;
  std::string good;  // what a good answer does, in a sentence
  std::string bad;   // what a bad answer does
};

struct Pack {
  Json card;  // pack.yaml: name, version, licence, source
  std::vector<Persona> personas;
  std::vector<Environment> environments;
  std::vector<GymTask> tasks;
  std::map<std::string, QuestionLists, std::less<>> questions;  // by the pack's persona ids
  std::vector<Probe> probes;                                    // in the order of the file
  std::optional<judge::Rubric> probe_rubric;  // {good} and {bad}; if it has probes
  GymPrompts prompts;
  ReferencePrompts reference;
  // Of an imported pack: what it lacked and ours has in its place.
  std::vector<std::string> borrowed;
  std::string sha256;  // of every file that was read
};

// Reads the folder; what an imported pack or an older version of ours lacks (tasks, prompts,
// environments, the reference's words) is taken from `ours`. Fails as NotFound or Invalid, with
// file, line and remedy.
Result<Pack> load_pack(const std::string& folder, const std::string& ours);

// The probes for a persona of that text, in their order.
std::vector<const Probe*> list_probes(const Pack& pack, std::string_view persona);

// Further tasks from rubric files of the user's own, each with `name`, `asks`, a scale and
// criteria; `question_guidance` says what its questions must do.
Result<GymTask> load_task(const std::string& file);

// The ready-made questions for a persona of that text; null if there are none.
const QuestionLists* find_questions(const Pack& pack, std::string_view persona);

// The task with that id, name or the published files' key ("Toxicity"), whatever the case; null if
// there is none.
const GymTask* find_task(const std::vector<GymTask>& tasks, std::string_view name);

}  // namespace personascope::eval::personagym
