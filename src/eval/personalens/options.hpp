// The options of the lens: what a user can say about a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/option_table.hpp"
#include "eval/personalens/dialogue.hpp"
#include "eval/personalens/user_wishes.hpp"
#include "eval/personalens/words.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"

namespace personascope::eval::personalens {

enum class JudgedSide { User, Assistant, Both };

// Paths are as the user gave them; a text that is empty was not given.
struct LensOptions {
  std::optional<std::string> pack;  // an imported one: its users and prompts
  std::string data;                 // folder of users; none: they are drawn
  UserWishes wishes;
  bool multi_domain = false;         // tasks across several domains in place of those in one
  bool both_spans = false;           // tasks in one domain and across several
  std::vector<std::string> domains;  // only tasks in one of these, if any are named
  std::vector<std::string> tasks;    // only these ids, if any are named
  std::int64_t tasks_per_user = 0;   // of each user, chosen by seed; 0: all
  std::int64_t limit = 0;            // of dialogues; 0: all
  std::uint64_t seed = 0;
  std::optional<std::int64_t> data_version;  // of the users that are drawn, and their tasks
  std::string words;                         // folder of prompts and rubrics
  Protocol protocol = Protocol::Chat;
  Knowledge knowledge;               // of the assistant
  std::optional<std::string> sweep;  // "none,d,dp", "all"

  std::string assistant;       // the model under test, or whose dialogues are evaluated
  std::string deployment;      // of the model under test; a part of its answers' keys
  bool fresh_answers = false;  // ask the model under test again, and nobody else
  std::string user_model;      // plays the user
  std::optional<std::int64_t> max_turns;
  std::int64_t single_turns = 20;
  std::int64_t multi_turns = 30;
  std::int64_t max_tokens = 800;
  double assistant_temperature = 0;
  double user_temperature = 0.5;

  std::vector<std::string> judges;
  std::vector<std::string> dimensions;
  JudgedSide side = JudgedSide::Both;
  judge::JudgeOptions judging;
  judge::PanelRule rule = judge::PanelRule::Mean;
  std::int64_t canaries = 1;   // dialogues that are also judged with canaries in them
  std::string reader;          // reads the profile's lift; "none"
  std::int64_t readings = 20;  // dialogues of which it is read

  std::string tree;  // folder for dialogue/ and evaluation/; none: nothing is written
};

// The stages are "run", "generate" and "evaluate".
const core::OptionTable<LensOptions>& lens_options();

}  // namespace personascope::eval::personalens
