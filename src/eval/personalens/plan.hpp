// What a run of the lens was told: all that `resume` needs to do the same again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personalens/dialogue.hpp"
#include "eval/personalens/words.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"

namespace personascope::eval::personalens {

struct LensPlan {
  std::string data;          // folder of users; empty: they are drawn
  std::string words;         // folder of prompts and rubrics
  std::string ours;          // our own folder, for what `words` lacks and for drawing users
  std::string sha256;        // of prompts, rubrics and vocabulary
  std::string users_sha256;  // of the users' files, if there are any

  std::vector<int> users;
  std::int64_t absent = 0;           // users that were named and are not there
  bool single = true;                // tasks in one domain
  bool multi = false;                // tasks across several
  std::vector<std::string> domains;  // only tasks in one of these, if any are named
  std::vector<std::string> tasks;    // only these ids, likewise
  std::int64_t tasks_per_user = 0;   // so many of each user's, chosen by seed; 0: all
  std::int64_t limit = 0;            // so many dialogues at most; 0: all
  std::vector<Knowledge> contexts{Knowledge{}};
  std::uint64_t seed = 0;

  bool converse = true;         // false: the dialogues are in `tree`
  std::string assistant;        // the model under test
  std::string assistant_label;  // the name of its folders
  std::string user_model;
  std::vector<std::string> judges;
  std::vector<std::string> judge_labels;
  std::vector<std::string> dimensions;  // keys; none: nothing is judged
  std::string reader;                   // reads the profile's lift; empty: nobody
  std::int64_t readings = 20;           // dialogues of which it is read
  std::int64_t canaries = 1;            // dialogues that are judged with canaries in them too

  Protocol protocol = Protocol::Chat;
  std::int64_t single_turns = 20;
  std::int64_t multi_turns = 30;
  std::int64_t max_tokens = 800;
  double user_temperature = 0.5;
  double assistant_temperature = 0;
  judge::JudgeOptions judging;
  judge::PanelRule rule = judge::PanelRule::Mean;

  std::string tree;         // the folder with dialogue/ and evaluation/; empty: none is written
  bool keeps_files = true;  // false: nothing is written to `tree`, which another run wrote
};

Json to_json(const LensPlan& plan);
// Fails as Invalid if it is not a plan of the lens.
Result<LensPlan> parse_lens_plan(const Json& value);

// Places in the published tree. `label` is the assistant's, without tag.
std::string dialogue_path(const LensPlan& plan, int user, const Knowledge& knowledge,
                          const std::string& task_id);
std::string verdict_path(const LensPlan& plan, int user, const Knowledge& knowledge,
                         std::string_view dimension, const std::string& judge_label,
                         const std::string& task_id, std::string_view suffix);

}  // namespace personascope::eval::personalens
