// What a run of the lens was told: all that `resume` needs to do the same again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personalens/options.hpp"

namespace personascope::eval::personalens {

// The options as resolved (folders and models by their whole names; `assistant` empty if it is not
// asked, `dimensions` as keys, empty if nothing is judged), and what was derived from them.
struct LensPlan : LensOptions {
  std::string ours;          // our own folder, for what `words` lacks and for drawing users
  std::string sha256;        // of prompts, rubrics and vocabulary
  std::string users_sha256;  // of the users' files, if there are any

  std::vector<int> users;
  std::int64_t absent = 0;  // users that were named and are not there
  bool single = true;       // tasks in one domain
  bool multi = false;       // tasks across several
  std::vector<Knowledge> contexts{Knowledge{}};

  bool converse = true;                   // false: the dialogues are in `tree`
  std::string assistant_label;            // the name of its folders
  std::vector<std::string> judge_labels;  // the names of the judges' folders
  bool keeps_files = true;  // false: nothing is written to `tree`, which another run wrote
};

Json to_json(const LensPlan& plan);
// Fails as Invalid if it is not a plan of the lens, or not one that could be carried out.
Result<LensPlan> parse_lens_plan(const Json& value);

// Places in the published tree. `label` is the assistant's, without tag.
std::string dialogue_path(const LensPlan& plan, int user, const Knowledge& knowledge,
                          const std::string& task_id);
std::string verdict_path(const LensPlan& plan, int user, const Knowledge& knowledge,
                         std::string_view dimension, const std::string& judge_label,
                         const std::string& task_id, std::string_view suffix);

}  // namespace personascope::eval::personalens
